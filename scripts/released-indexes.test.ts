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
const now = (indexes: Index[], retired = ['due', 'code', 'ended']) => {
  const gone = retired.filter((name) => !indexes.some((index) => index.name === name));
  return indexLines('tiers', [{ collection: 'members', indexes, retired: gone }]);
};

test('indexes may come, and go where they are named as retired', () => {
  const more = now([
    { key: { workspace_id: 1, due_at: 1 }, name: 'due' },
    { key: { name: 1 }, name: 'name' },
  ]);
  expect(changedIndexes(released, more)).toEqual([]);
});

test('an index that goes without a word is refused: it would stay where it was built', () => {
  const due: Index = { key: { workspace_id: 1, due_at: 1 }, name: 'due' };
  expect(changedIndexes(released, now([due], ['code']))).toEqual([
    expect.stringMatching(/^given up; .*: tiers\.members\.ended /),
  ]);
  const gone = indexLines('tiers', [{ collection: 'others', indexes: [due] }]);
  expect(changedIndexes(released, gone)).toEqual([]);
});

test('a name that was given up does not come back: who still has the release before would prune it', () => {
  const index: Index = { key: { code: 1 }, name: 'code' };
  const before = now([], ['code']);
  expect(changedIndexes(before, now([index], []))).toEqual([
    expect.stringContaining('tiers.members.code'),
  ]);
  expect(changedIndexes(before, before)).toEqual([]);
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
  expect(changedIndexes(released, now([index]))).toEqual([
    expect.stringContaining(`tiers.members.${index.name}`),
  ]);
});
