import { ZERO } from '@laurel/values/amount';
import { livesOnImports, newReward, usesLeft } from './reward';

const reward = newReward(
  { id: 'r', workspaceId: 'w' },
  { name: 'Tea', cost_in_points: ZERO },
  new Date('2026-05-04T10:00:00.000Z'),
);

test.each([
  [null, 7, null],
  [10, 7, 3],
  [10, 10, 0],
  // Lowered after it was reached.
  [5, 7, 0],
])('of a limit of %p that was used %p times %p are left', (usage_limit, used, left) => {
  expect(usesLeft({ ...reward, usage_limit, used })).toBe(left);
});

test.each([
  [true, null, true],
  [true, 'TEA-####', false],
  [false, null, false],
  [false, 'TEA-####', false],
])('with imported codes (%p) and the pattern %p it needs them: %p', (imported, pattern, needs) => {
  expect(livesOnImports({ ...reward, coupons_imported: imported, code_pattern: pattern })).toBe(
    needs,
  );
});
