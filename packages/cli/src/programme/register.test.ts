import type { Laurel } from '@laurel/client';
import type { Found } from './live';
import { afterMoves } from './moved';
import type { Plan } from './plan';
import { type Register, writeRegister } from './register';

/** A server that keeps what it is sent, under a tag that each change moves on. */
function serverWith(managed: Register['managed']) {
  const things = new Map(managed.map((one) => [`${one.kind}/${one.key}`, one.fields]));
  const said: { body: Record<string, unknown>; tag: string | undefined }[] = [];
  const set = (_name: string, body: never, { headers }: { headers: Record<string, string> }) => {
    const { changed, released } = body as { changed: Register['managed']; released: Found[] };
    said.push({ body, tag: headers['If-Match'] });
    for (const { kind, key } of released) things.delete(`${kind}/${key}`);
    for (const { kind, key, fields } of changed) things.set(`${kind}/${key}`, fields);
    const response = { headers: new Headers({ etag: `"${said.length}"` }) };
    return { withResponse: async () => ({ response }) };
  };
  return { laurel: { programmes: { set } } as unknown as Laurel, things, said };
}

const thingsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'rewards' as const,
    key: `${prefix}-${index}`,
    body: { name: `Reward ${index}` },
  }));

/** What files say is as they say it. */
const write = (server: ReturnType<typeof serverWith>, register: Register, prefix: string) => {
  const wanted = thingsOf(prefix, 2_500);
  const plan = { steps: wanted.map((one) => ({ wanted: one })) } as unknown as Plan;
  const found = wanted.map((one) => ({ ...one, id: one.key })) as unknown as Found[];
  return writeRegister(server.laurel, register, { plan, found, left: [] });
};

test('of more things than a request takes the register is written page by page, each after the one before, the turn ending with the last', async () => {
  const empty: Register = { name: 'shop', managed: [], etag: '"0"', turn: 'mine' };
  const server = serverWith([]);
  await write(server, empty, 'a');
  expect(server.things.size).toBe(2_500);
  expect(server.said.map(({ tag }) => tag)).toEqual(['"0"', '"1"', '"2"']);
  expect(server.said.map(({ body }) => body.turn)).toEqual(
    [120, 120, 0].map((seconds) => ({ id: 'mine', seconds })),
  );
  const managed = [...server.things].map(([id, fields]) => {
    const [kind, key] = id.split('/') as [string, string];
    return { kind, key, fields, applied_at: '2026-01-15T10:00:00.000Z' };
  });
  const later = serverWith(managed);
  await write(later, { ...empty, managed }, 'a');
  expect(later.said).toEqual([
    {
      tag: '"0"',
      body: { changed: [], released: [], turn: { id: 'mine', seconds: 0 } },
    },
  ]);
  await write(later, { ...empty, managed, etag: '"1"' }, 'b');
  expect([...later.things.keys()]).toEqual(
    [...thingsOf('b', 2_500)].map(({ key }) => `rewards/${key}`),
  );
});

test('a thing that files call otherwise is noted under its new key, and no longer under the old one', async () => {
  const [one] = thingsOf('a', 1);
  const empty: Register = { name: 'shop', managed: [], etag: '"0"' };
  const first = serverWith([]);
  const plan = { steps: [{ wanted: one }] } as unknown as Plan;
  const found = [{ ...one, id: '1' }] as unknown as Found[];
  await writeRegister(first.laurel, empty, { plan, found, left: [] });
  const fields = first.things.get('rewards/a-0')!;
  const noted = { kind: 'rewards', key: 'a-0', fields, applied_at: '2026-01-15T10:00:00.000Z' };
  const server = serverWith([noted]);
  const renamed = { ...one!, key: 'b' };
  const managed = afterMoves([noted], [{ kind: 'rewards', from: 'a-0', to: 'b' }]);
  await writeRegister(
    server.laurel,
    { ...empty, managed },
    {
      plan: { steps: [{ wanted: renamed }] } as unknown as Plan,
      found: [{ ...renamed, id: '1' }] as unknown as Found[],
      left: [],
    },
  );
  expect([...server.things]).toEqual([['rewards/b', fields]]);
});
