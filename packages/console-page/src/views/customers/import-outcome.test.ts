import { isOver, KIND_OF, outcomeOf } from './import-outcome';

test('only an import whose every line is in is called done', () => {
  expect(outcomeOf({ status: 'completed', failed: 0 })).toBe('completed');
  expect(outcomeOf({ status: 'completed', failed: 1 })).toBe('partly');
  for (const status of ['failed', 'cancelled', 'running', 'pending'] as const)
    for (const failed of [0, 1]) expect(outcomeOf({ status, failed })).toBe(status);
  const good = Object.entries(KIND_OF).filter(([, kind]) => kind === 'good');
  expect(good.map(([outcome]) => outcome)).toEqual(['completed']);
});

test.each([
  ['pending', false],
  ['running', false],
  ['completed', true],
  ['failed', true],
  ['cancelled', true],
] as const)('an import that is %s is over: %s', (status, isSo) => {
  expect(isOver({ status })).toBe(isSo);
});
