import { createApi, type PortalError } from './api.ts';

interface Sent {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

function against(status: number, body: unknown, token: string | null = 'token') {
  const sent: Sent[] = [];
  const onSignedOut = jest.fn();
  const send = (async (path: string, { method, headers, body: text }: RequestInit) => {
    sent.push({
      path,
      method: method!,
      headers: headers as Record<string, string>,
      body: text === undefined ? undefined : JSON.parse(String(text)),
    });
    return { ok: status < 400, status, json: async () => body };
  }) as unknown as typeof fetch;
  return { api: createApi('cafe', { token: () => token, onSignedOut }, send), sent, onSignedOut };
}

const refusalOf = (work: Promise<unknown>): Promise<PortalError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: PortalError) => error,
  );

describe('the portal’s endpoints', () => {
  test('are asked with the client in the header, and the shop in the body', async () => {
    const { api, sent } = against(200, { data: { token: 'next' } });
    expect(await api.verifyCode('ann@example.com', '123456')).toEqual({ token: 'next' });
    expect(sent).toEqual([
      {
        path: '/service-api/public/loyalty/login/verify',
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'x-client-token': 'token' },
        body: { workspace_slug: 'cafe', email: 'ann@example.com', code: '123456' },
      },
    ]);
  });

  test('get the key of a wish to redeem', async () => {
    const { api, sent } = against(200, { data: {} });
    await api.redeem('r-1', 'wish-1');
    expect([sent[0]!.path, sent[0]!.headers['Idempotency-Key']]).toEqual([
      '/service-api/public/loyalty/rewards/r-1/redeem',
      'wish-1',
    ]);
  });

  test('that refuse are quoted', async () => {
    const { api } = against(400, { error: 'insufficient_points' });
    const refusal = await refusalOf(api.redeem('r-1', 'wish-1'));
    expect([refusal.status, refusal.message]).toEqual([400, 'insufficient_points']);
  });

  test('that know the token no more end the session', async () => {
    const { api, onSignedOut } = against(401, { error: 'token expired' });
    await refusalOf(api.me());
    expect(onSignedOut).toHaveBeenCalledTimes(1);
  });

  test('that are late end no session that was opened since', async () => {
    let token = 'left';
    const onSignedOut = jest.fn();
    const send = (async () => {
      token = 'next';
      return { ok: false, status: 401, json: async () => ({ error: 'invalid token' }) };
    }) as unknown as typeof fetch;
    const api = createApi('cafe', { token: () => token, onSignedOut }, send);
    await refusalOf(api.logout());
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  test('end no session that there is not: a wrong code is just wrong', async () => {
    const { api, onSignedOut } = against(401, { error: 'invalid credentials' }, null);
    await refusalOf(api.verifyCode('ann@example.com', '1'));
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  test('whose answer cannot be read have said nothing', async () => {
    const cut = async () => ({ ok: true, status: 200, json: () => Promise.reject(new Error()) });
    const send = cut as unknown as typeof fetch;
    const api = createApi('cafe', { token: () => null, onSignedOut: () => undefined }, send);
    expect((await refusalOf(api.balances())).status).toBe(0);
  });

  test('that never answer are not waited for without end', async () => {
    jest.useFakeTimers();
    try {
      const silent = ((_: string, { signal }: RequestInit) =>
        new Promise((_answer, fail) =>
          signal!.addEventListener('abort', () => fail(new Error('aborted'))),
        )) as unknown as typeof fetch;
      const session = { token: () => null, onSignedOut: () => undefined };
      const refusal = refusalOf(createApi('cafe', session, silent).redeem('r-1', 'wish-1'));
      await jest.advanceTimersByTimeAsync(30_000);
      expect((await refusal).status).toBe(0);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('that cannot be reached have no status', async () => {
    const unreachable = () => Promise.reject(new TypeError('network'));
    const api = createApi('cafe', { token: () => null, onSignedOut: () => undefined }, unreachable);
    expect((await refusalOf(api.me())).status).toBe(0);
  });
});
