import { testStore } from '@laurel/testing';
import { collection } from './collection';
import { countByDay } from './count-by-day';

interface VisitDocument {
  _id: string;
  workspace_id: string;
  shop: string;
  at: Date;
}

const visits = collection<VisitDocument>('visits', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: a test',
  growth: { per: 'test', end: 'goes with its store', shardKey: 'whole' },
  indexes: [],
});

test.each([
  ['whole hours away', '2026-03-28T23:00Z', '2026-03-29T22:00Z', '2026-03-30T22:00Z'],
  ['three quarters of an hour away', '2026-03-28T18:15Z', '2026-03-29T18:15Z', '2026-03-30T18:15Z'],
])(
  'counts of days in a zone %s hold each row once, of the own workspace only',
  async (_, ...days) => {
    const store = await testStore([visits]);
    const rows = visits.open(store.connection);
    const [first, second, until] = days.map(Date.parse) as [number, number, number];
    const visit = (shop: string, at: number, workspace_id = 'w') => ({
      _id: `${workspace_id}${shop}${at}`,
      workspace_id,
      shop,
      at: new Date(at),
    });
    await rows.insertMany([
      visit('a', first - 1),
      visit('a', first),
      visit('a', second - 1),
      visit('a', second),
      visit('b', until - 1),
      visit('b', until),
      visit('c', second),
      visit('b', second, 'elsewhere'),
    ]);
    const counts = await countByDay(rows.of('w'), {
      by: 'shop',
      values: ['a', 'b', 'none'],
      at: 'at',
      dayStarts: [first, second],
      until,
    });
    expect(Object.fromEntries(counts)).toEqual({ a: [2, 1], b: [0, 1], none: [0, 0] });
    await store.drop();
  },
);
