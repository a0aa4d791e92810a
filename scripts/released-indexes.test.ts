import { changedIndexes, indexLines } from './released-indexes.mjs';

const released = indexLines('tiers', [
  {
    collection: 'members',
    indexes: [
      { key: { workspace_id: 1, due_at: 1 }, name: 'due' },
      { key: { code: 1 }, name: 'code', unique: true },
      { key: { at: 1 }, name: 'ended', expireAfterSeconds: 60 },
    ],
  },
]);
type Index = Parameters<typeof indexLines>[1][number]['indexes'][number];
const now = (...indexes: Index[]) => indexLines('tiers', [{ collection: 'members', indexes }]);

test('indexes may come and go', () => {
  const more = now(
    { key: { workspace_id: 1, due_at: 1 }, name: 'due' },
    { key: { name: 1 }, name: 'name' },
  );
  expect(changedIndexes(released, more)).toEqual([]);
});

test.each<[string, Index]>([
  ['another key', { key: { workspace_id: 1 }, name: 'due' }],
  ['the columns of its key in another order', { key: { due_at: 1, workspace_id: 1 }, name: 'due' }],
  ['another condition', { key: { code: 1 }, name: 'code', unique: false }],
  ['another end', { key: { at: 1 }, name: 'ended', expireAfterSeconds: 61 }],
  [
    'a filter',
    {
      key: { workspace_id: 1, due_at: 1 },
      name: 'due',
      partialFilterExpression: { due_at: { $exists: true } },
    },
  ],
])('an index that gets %s under its released name is refused', (_, index) => {
  expect(changedIndexes(released, now(index))).toEqual([
    expect.stringContaining(`tiers.members.${index.name}`),
  ]);
});
