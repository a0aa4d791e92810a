import { Refused } from '@laurel/page-kit/http';
import { createShopApi } from './shop';

const SHOP = { id: 'shop' };

/** A platform that keeps to its rule: under one key, one body. */
function platform(refuses: (body: { money: string }) => Refused | null) {
  const bodies = new Map<string, string>();
  const keys: string[] = [];
  const call = async <T>(
    _method: string,
    _path: string,
    { body, headers }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<T> => {
    const key = headers!['Idempotency-Key']!;
    const sent = JSON.stringify(body);
    keys.push(key);
    if ((bodies.get(key) ?? sent) !== sent) throw new Refused(409, 'IDEMPOTENCY_KEY_REUSED');
    bodies.set(key, sent);
    const refusal = refuses(body as { money: string });
    if (refusal) throw refusal;
    return { data: body } as T;
  };
  return { api: createShopApi({ call }), keys };
}

test('what was refused is put right by what is wanted instead, and the same again is asked anew', async () => {
  const { api, keys } = platform(({ money }) =>
    money === 'ABQ' ? new Refused(400, 'VALIDATION_FAILED') : null,
  );
  const make = (money: string) => api.make(SHOP, '/shops', { money });
  await expect(make('ABQ')).rejects.toMatchObject({ status: 400 });
  await expect(make('ABQ')).rejects.toMatchObject({ status: 400 });
  await expect(make('EUR')).resolves.toEqual({ money: 'EUR' });
  expect(new Set(keys).size).toBe(3);
});

test('what got no answer is the same wish when it is sent again, and another one when it was changed', async () => {
  let isAway = true;
  const { api, keys } = platform(() => (isAway ? new Refused(0, 'UNREACHABLE') : null));
  const make = (money: string) => api.make(SHOP, '/shops', { money });
  await expect(make('EUR')).rejects.toMatchObject({ status: 0 });
  isAway = false;
  await make('EUR');
  await make('PLN');
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});
