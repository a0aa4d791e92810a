import { chooseNear, endToEndOf, projectOf, sourceOf } from './changed.mjs';

const changed = ['services/ledger/src/domain/lots.ts'];

test('what lies nearest to the change is tried first, and what there is no time for is named', () => {
  const related = [
    'services/rewards/src/use-cases/redeem.int.test.ts',
    'services/ledger/src/use-cases/earn.int.test.ts',
    'services/ledger/src/domain/lots.test.ts',
  ];
  const seconds = { [related[0]!]: 30, [related[1]!]: 30, [related[2]!]: 1 };
  expect(chooseNear(related, { changed, seconds, budgetSeconds: 20 })).toEqual({
    chosen: [related[2], related[1]],
    left: [related[0]],
  });
});

test('what takes longer than there is leaves its time to others', () => {
  const related = ['services/ledger/src/domain/model.test.ts', 'services/tiers/src/a.test.ts'];
  const seconds = { [related[0]!]: 500, [related[1]!]: 1 };
  expect(chooseNear(related, { changed, seconds }).chosen).toEqual([related[1]]);
});

test('end-to-end tests pay for their platform once; restarts are never chosen', () => {
  const related = ['e2e/a.test.ts', 'e2e/b.test.ts', 'e2e/restarts/c.test.ts'];
  const choose = (budgetSeconds: number) =>
    chooseNear(related, { changed: related, seconds: {}, budgetSeconds }).chosen;
  expect(choose(27)).toEqual(['e2e/a.test.ts']);
  expect(choose(28)).toEqual(['e2e/a.test.ts', 'e2e/b.test.ts']);
});

test('a file belongs to the project that runs it, and a proto stands for what is generated of it', () => {
  expect(
    ['packages/a.test.ts', 'packages/a.int.test.ts', 'e2e/a.test.ts', 'e2e/restarts/a.test.ts'].map(
      projectOf,
    ),
  ).toEqual(['unit', 'integration', 'e2e', 'restarts']);
  expect(sourceOf('protos/laurel/ledger.proto')).toBe('packages/rpc/src/index.ts');
});

test('a service is tried through its door, too, though no end-to-end test imports it', () => {
  const names = ['ledger-points.test.ts', 'rewards.test.ts', 'ledger-notes.md'];
  expect(endToEndOf(changed, names)).toEqual(['e2e/ledger-points.test.ts']);
  expect(endToEndOf(['packages/ledger-verifier/src/index.ts'], names)).toEqual([]);
});
