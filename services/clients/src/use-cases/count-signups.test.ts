import { countSignups } from './count-signups';

const NOW = new Date('2026-03-11T10:00:00.000Z');
const perDay = new Map([
  ['2026-03-03', 2],
  ['2026-03-11', 3],
]);
const deps = {
  clients: { countPerDay: async () => perDay },
  clock: { now: () => NOW },
} as never;

test('sign-ups until a moment that is far ahead are counted in the buckets until now', async () => {
  const from_date = '2026-03-02T00:00:00.000Z';
  const asked = { workspace_id: 'w', from_date };
  const until = (to_date: string) => countSignups(deps, { ...asked, to_date });
  const counted = {
    buckets: [
      { date: '2026-03-02', count: 2 },
      { date: '2026-03-09', count: 3 },
    ],
    total: 5,
    latest_bucket_count: 3,
    growth_wow_pct: 50,
  };
  expect(await countSignups(deps, asked)).toEqual(counted);
  expect(await until('2026-12-31T23:59:59.999Z')).toEqual(counted);
  expect(await until('2100-01-01T00:00:00.000Z')).toEqual(counted);
});

test('a time that is yet to come has no buckets', async () => {
  const nothing = { clients: { countPerDay: async () => new Map() }, clock: { now: () => NOW } };
  const ahead = { from_date: '2026-04-01T00:00:00.000Z', to_date: '2026-05-01T00:00:00.000Z' };
  expect(await countSignups(nothing as never, { workspace_id: 'w', ...ahead })).toEqual({
    buckets: [],
    total: 0,
    latest_bucket_count: 0,
    growth_wow_pct: null,
  });
});
