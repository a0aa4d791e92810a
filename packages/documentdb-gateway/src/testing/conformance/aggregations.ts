import type { Case } from './case';

/** What aggregations come to. */
export const aggregations: readonly Case[] = [
  {
    name: '$group sums, counts, and finds extremes; null groups what has none',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, k: 'a', n: 2 },
        { _id: 2, k: 'a', n: 3 },
        { _id: 3, n: 5 },
      ]);
      const group = {
        _id: '$k',
        n: { $sum: '$n' },
        rows: { $sum: 1 },
        high: { $max: '$n' },
        low: { $min: '$n' },
      };
      return rows.aggregate([{ $group: group }, { $sort: { _id: 1 } }]).toArray();
    },
    answer: [
      { _id: null, n: 5, rows: 1, high: 5, low: 5 },
      { _id: 'a', n: 5, rows: 2, high: 3, low: 2 },
    ],
  },
  {
    name: '$sum passes over what is no number, $cond and $ifNull choose',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1, n: 'x' }, { _id: 2, n: 4 }, { _id: 3 }]);
      const sums = {
        _id: null,
        all: { $sum: '$n' },
        big: { $sum: { $cond: [{ $gte: [{ $ifNull: ['$n', 9] }, 5] }, 1, 0] } },
      };
      return rows.aggregate([{ $group: sums }]).toArray();
    },
    answer: [{ _id: null, all: 4, big: 2 }],
  },
  {
    name: '$dateToString writes days by a time zone, through its change to summer time',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, at: new Date('2026-03-28T23:30:00Z') },
        { _id: 2, at: new Date('2026-03-29T22:30:00Z') },
      ]);
      const day = { $dateToString: { date: '$at', format: '%Y-%m-%d', timezone: 'Europe/Berlin' } };
      return rows.aggregate([{ $sort: { _id: 1 } }, { $project: { day } }]).toArray();
    },
    answer: [
      { _id: 1, day: '2026-03-29' },
      { _id: 2, day: '2026-03-30' },
    ],
  },
  {
    name: '$dateTrunc cuts to weeks that begin on Monday',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, at: new Date('2026-11-27T10:00:00Z') });
      const week = { $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'monday' } };
      return rows.aggregate([{ $project: { week } }]).toArray();
    },
    answer: [{ _id: 1, week: '2026-11-23T00:00:00.000Z' }],
  },
  {
    name: '$unwind gives a row for each element, $lookup the rows of another collection',
    async ask({ rows, client }) {
      await rows.insertMany([
        { _id: 1, l: ['x', 'y'] },
        { _id: 2, l: [] },
      ]);
      const other = client
        .db(rows.dbName)
        .collection<{ _id: string }>(`${rows.collectionName}_other`);
      await other.insertMany([{ _id: 'y' }]);
      const lookup = {
        from: other.collectionName,
        localField: 'l',
        foreignField: '_id',
        as: 'found',
      };
      return rows
        .aggregate([{ $unwind: '$l' }, { $lookup: lookup }, { $sort: { l: 1 } }])
        .toArray();
    },
    answer: [
      { _id: 1, l: 'x', found: [] },
      { _id: 1, l: 'y', found: [{ _id: 'y' }] },
    ],
  },
  {
    name: '$facet answers several questions of one read',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
      const facet = { page: [{ $sort: { _id: 1 } }, { $limit: 2 }], all: [{ $count: 'n' }] };
      return rows.aggregate([{ $facet: facet }]).toArray();
    },
    answer: [{ page: [{ _id: 1 }, { _id: 2 }], all: [{ n: 3 }] }],
  },
];
