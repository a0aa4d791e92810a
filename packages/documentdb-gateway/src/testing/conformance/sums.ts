import { Double, Long } from 'mongodb';
import type { Case } from './case';

/** Sums and what they are made of. */
export const sums: readonly Case[] = [
  {
    name: '$sum of whole numbers stays exact beyond 32 bits, whatever kinds they are of',
    async ask({ rows }) {
      const kinds = [2_147_483_647, new Long('9000000000000000'), new Double(-1), 1];
      await rows.insertMany(kinds.map((n, _id) => ({ _id, n })));
      return rows.aggregate([{ $group: { _id: null, n: { $sum: '$n' } } }]).toArray();
    },
    answer: [{ _id: null, n: 9_000_002_147_483_647 }],
  },
  {
    name: '$abs, $multiply, $add and $subtract count, and are null with null',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, a: -3, b: 2 },
        { _id: 2, a: null, b: 2 },
      ]);
      const made = {
        abs: { $abs: '$a' },
        product: { $multiply: ['$a', -1, '$b'] },
        sum: { $add: ['$a', '$b', 1] },
        left: { $subtract: [0, '$a'] },
        most: { $max: [0, '$a'] },
      };
      return rows.aggregate([{ $sort: { _id: 1 } }, { $project: made }]).toArray();
    },
    answer: [
      { _id: 1, abs: 3, product: 6, sum: 0, left: 3, most: 0 },
      { _id: 2, abs: null, product: null, sum: null, left: null, most: 0 },
    ],
  },
  {
    name: 'comparisons in sums put what is missing below null, and null below numbers and dates',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1 }, { _id: 2, at: null }, { _id: 3, at: new Date(0) }]);
      const made = {
        later: { $gt: ['$at', null] },
        not: { $not: [{ $gt: ['$at', null] }] },
        same: { $eq: ['$at', null] },
        both: { $and: [{ $lte: ['$at', null] }, { $in: ['$_id', [1, 2]] }] },
      };
      return rows.aggregate([{ $sort: { _id: 1 } }, { $project: made }]).toArray();
    },
    answer: [
      { _id: 1, later: false, not: true, same: false, both: true },
      { _id: 2, later: false, not: true, same: true, both: true },
      { _id: 3, later: true, not: false, same: false, both: false },
    ],
  },
  {
    name: '$group by several columns keeps what is missing apart from what is there',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, k: 'a', t: 'x', n: 1 },
        { _id: 2, k: 'a', n: 2 },
        { _id: 3, k: 'a', t: 'x', n: 4 },
      ]);
      const group = { _id: { k: '$k', t: '$t' }, n: { $sum: '$n' } };
      return rows.aggregate([{ $group: group }, { $sort: { n: 1 } }]).toArray();
    },
    answer: [
      { _id: { k: 'a' }, n: 2 },
      { _id: { k: 'a', t: 'x' }, n: 5 },
    ],
  },
  {
    name: '$group finds first and last days, and $dateToString writes days in UTC',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, at: new Date('2026-01-01T23:59:59.999Z') },
        { _id: 2, at: new Date('2026-01-02T00:00:00Z') },
        { _id: 3 },
      ]);
      const group = { _id: null, first: { $min: '$at' }, last: { $max: '$at' }, rows: { $sum: 1 } };
      const day = { $dateToString: { format: '%Y-%m-%d', date: '$at' } };
      return [
        await rows.aggregate([{ $group: group }]).toArray(),
        await rows
          .aggregate([{ $group: { _id: day, n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
          .toArray(),
      ];
    },
    answer: [
      [{ _id: null, first: '2026-01-01T23:59:59.999Z', last: '2026-01-02T00:00:00.000Z', rows: 3 }],
      [
        { _id: null, n: 1 },
        { _id: '2026-01-01', n: 1 },
        { _id: '2026-01-02', n: 1 },
      ],
    ],
  },
  {
    name: 'an unknown time zone is refused',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, at: new Date(0) });
      const day = { $dateToString: { format: '%Y', date: '$at', timezone: 'Mars/Olympus' } };
      return rows
        .aggregate([{ $project: { day } }])
        .toArray()
        .catch(({ code }) => code);
    },
    answer: 40485,
  },
  {
    name: '$objectToArray makes pairs of columns, $unwind passes over what is missing',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, fields: { a: 1, b: 'x' } },
        { _id: 2 },
        { _id: 3, fields: {} },
      ]);
      return rows
        .aggregate([
          { $project: { pair: { $objectToArray: '$fields' } } },
          { $unwind: '$pair' },
          { $group: { _id: '$pair.k', n: { $sum: 1 } } },
          { $sort: { _id: 1 } },
        ])
        .toArray();
    },
    answer: [
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ],
  },
  {
    name: '$size counts the elements of a list, $ifNull stands in for one that is missing, $literal is itself',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1, l: [1, 2] }, { _id: 2 }]);
      const made = { n: { $size: { $ifNull: ['$l', []] } }, text: { $literal: '$l' } };
      return rows.aggregate([{ $sort: { _id: 1 } }, { $project: made }]).toArray();
    },
    answer: [
      { _id: 1, n: 2, text: '$l' },
      { _id: 2, n: 0, text: '$l' },
    ],
  },
  {
    name: '$match, $sort, $skip, $limit and $count go one after the other, and a count of none is no row',
    async ask({ rows }) {
      await rows.insertMany([1, 2, 3, 4, 5].map((_id) => ({ _id, a: _id % 2 })));
      const page = [{ $match: { a: 1 } }, { $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 1 }];
      return [
        await rows.aggregate(page).toArray(),
        await rows.aggregate([{ $match: { a: 1 } }, { $count: 'n' }]).toArray(),
        await rows.aggregate([{ $match: { a: 9 } }, { $count: 'n' }]).toArray(),
      ];
    },
    answer: [[{ _id: 3, a: 1 }], [{ n: 3 }], []],
  },
  {
    name: 'an unknown stage is refused',
    ask: ({ rows }) =>
      rows
        .aggregate([{ $fly: 1 }])
        .toArray()
        .catch(({ code }) => code),
    answer: 40324,
  },
];
