import { AMOUNT_MAX, toUnits, type Units, ZERO } from '@laurel/values/amount';
import fc from 'fast-check';
import { addFlows, type FlowRow, flowsIn, flowsOf, owedAfter } from './day-flows';

const row = (
  type: FlowRow['_id']['type'],
  moved: number,
  more: Partial<FlowRow['_id']> & { pending?: number } = {},
): FlowRow => {
  const { pending = 0, ...of } = more;
  return { _id: { code: 'points', type, breaks: false, adds: moved > 0, ...of }, moved, pending };
};
const none = { issued: 0, used: 0, expired: 0, pending: 0 };

test.each<[string, FlowRow, object]>([
  ['an earn is issued', row('earn', 5), { issued: 5 }],
  ['so is what is credited', row('adjust', 5), { issued: 5 }],
  ['and a debit of it taken off', row('adjust', -5), { issued: -5 }],
  ['a reversed earn is taken off what was issued', row('cancel', -5), { issued: -5 }],
  ['a spend is used', row('spend', -5), { used: 5 }],
  ['a reversed spend is taken off what was used', row('cancel', 5), { used: -5 }],
  ['what lapsed has expired', row('expire', -5), { expired: 5 }],
  ['so has what the erased leave behind', row('adjust', -5, { breaks: true }), { expired: 5 }],
  ['whatever its type', row('cancel', -5, { breaks: true }), { expired: 5 }],
  [
    'but for a debt that is written off: that is a correction',
    row('adjust', 5, { breaks: true }),
    { issued: 5 },
  ],
  ['a transfer is none of these', row('transfer_out', -5), {}],
  ['on neither side', row('transfer_in', 5), {}],
  [
    'what is not active yet is counted as well',
    row('earn', 5, { pending: 4 }),
    { issued: 5, pending: 4 },
  ],
])('%s', (_, moved, flows) => {
  expect(flowsOf([moved])).toEqual({ points: { ...none, ...flows } });
});

test('movements of a day are summed by wallet type, whatever it is named', () => {
  const flows = flowsOf([
    row('earn', 5, { pending: 2 }),
    row('spend', -2),
    row('earn', 3, { pending: -1 }),
    row('expire', -1, { code: 'constructor' }),
  ]);
  expect(flows).toEqual({
    points: { issued: 8, used: 2, expired: 0, pending: 1 },
    constructor: { ...none, expired: 1 },
  });
  expect(flowsIn(flows, 'toString')).toEqual(none);
});

test('what a workspace issues and owes may be more than any wallet holds', () => {
  const full = toUnits(AMOUNT_MAX);
  const day = flowsOf([row('earn', full), row('earn', full)]);
  const days = addFlows(Array.from({ length: 10 }, () => day));
  expect(days.points!.issued).toBe(20 * full);
  expect(owedAfter(days.points!.issued, days.points!)).toBe(40 * full);
});

test('what is owed changes by all that moved but transfers, in whatever order it is summed', () => {
  const moves = fc.record({
    type: fc.constantFrom('earn', 'spend', 'expire', 'adjust', 'cancel', 'transfer_in' as const),
    by: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    breaks: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 20 }), fc.nat(1_000_000), (all, owed) => {
      const rows = all.map(({ type, by, breaks }) =>
        row(type as 'earn', by, { breaks: breaks && type === 'adjust' }),
      );
      const changed = all
        .filter(({ type }) => type !== 'transfer_in')
        .reduce((sum, { by }) => sum + by, owed);
      expect(owedAfter(owed as Units, flowsIn(flowsOf(rows), 'points'))).toBe(changed);
      expect(addFlows(rows.map((one) => flowsOf([one])))).toEqual(flowsOf(rows));
    }),
    { seed: 28 },
  );
});

test('days are summed for each wallet type, also for one that is named like what every object has', () => {
  const one = { issued: toUnits(1), used: ZERO, expired: ZERO, pending: ZERO };
  const day = { points: one, constructor: one };
  expect(addFlows([day, day])).toEqual({
    points: { ...one, issued: toUnits(2) },
    constructor: { ...one, issued: toUnits(2) },
  });
});
