import { toUnits, ZERO } from '@laurel/amount';
import { addFlows } from './day-flows';

test('days are summed for each wallet type, also for one that is named like what every object has', () => {
  const one = { issued: toUnits(1), used: ZERO, expired: ZERO, pending: ZERO };
  const day = { points: one, constructor: one };
  expect(addFlows([day, day])).toEqual({
    points: { ...one, issued: toUnits(2) },
    constructor: { ...one, issued: toUnits(2) },
  });
});
