import { toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import { type Movements, statementOf } from './statement';

const FIGURES_IN = ['earned', 'adjusted_credits', 'cancelled_credits', 'transferred_in'] as const;
const FIGURES_OUT = [
  'spent',
  'expired',
  'adjusted_debits',
  'cancelled_debits',
  'refunded',
  'transferred_out',
  'breakage',
] as const;
const FIGURES = [...FIGURES_IN, ...FIGURES_OUT, 'matured'] as const;

const moved = (
  type: Movements['type'],
  active: number,
  more: Partial<Movements> = {},
): Movements => ({
  type,
  source: '',
  isCredit: active + (more.pending ?? 0) + (more.locked ?? 0) > 0,
  isBefore: false,
  active,
  pending: 0,
  locked: 0,
  ...more,
});
const figuresOf = (...movements: Movements[]) => {
  const statement = statementOf(movements);
  return Object.fromEntries(
    FIGURES.flatMap((figure) => (statement[figure] === 0 ? [] : [[figure, statement[figure]]])),
  );
};

test.each<[Movements['type'], string, number, string]>([
  ['earn', '', 5, 'earned'],
  ['spend', '', -5, 'spent'],
  ['expire', '', -5, 'expired'],
  ['transfer_in', '', 5, 'transferred_in'],
  ['transfer_out', '', -5, 'transferred_out'],
  ['transfer_out', '', 5, 'transferred_in'],
  ['transfer_in', '', -5, 'transferred_out'],
  ['adjust', '', 5, 'adjusted_credits'],
  ['adjust', '', -5, 'adjusted_debits'],
  ['cancel', '', 5, 'cancelled_credits'],
  ['cancel', '', -5, 'cancelled_debits'],
  ['cancel', 'refund', -5, 'refunded'],
  ['cancel', 'refund', 5, 'cancelled_credits'],
  ['adjust', 'client_deleted', -5, 'breakage'],
  ['cancel', 'client_anonymized', -5, 'breakage'],
  ['adjust', 'client_deleted', 5, 'adjusted_credits'],
  ['earn', 'client_deleted', 5, 'earned'],
  ['spend', 'client_anonymized', -5, 'spent'],
])('%s of %j that moved %p counts as %s', (type, source, active, figure) => {
  expect(figuresOf(moved(type, active, { source }))).toEqual({ [figure]: 5 });
});

test('points that go back and forth within a wallet are no figure, but for those that matured', () => {
  expect(figuresOf(moved('lock', -5, { locked: 5 }))).toEqual({});
  expect(figuresOf(moved('unlock', 5, { locked: -5 }))).toEqual({});
  const matured = { source: 'maturation', pending: -5 };
  expect(figuresOf(moved('unlock', 5, matured), moved('unlock', 2, matured))).toEqual({
    matured: 7,
  });
  expect(figuresOf(moved('unlock', 5, { source: 'client_deleted', locked: -5 }))).toEqual({});
});

test('a movement counts with all that it moved, pending and locked as well', () => {
  expect(figuresOf(moved('earn', 1, { pending: 2, locked: 3 }))).toEqual({ earned: 6 });
  expect(figuresOf(moved('spend', -1, { pending: -2, locked: -3 }))).toEqual({ spent: 6 });
});

test('what came before its time is in the opening alone, and closing is that with all the rest', () => {
  const statement = statementOf([
    moved('earn', 10, { pending: 4, isBefore: true }),
    moved('lock', -3, { locked: 3, isBefore: true }),
    moved('spend', -2),
    moved('unlock', 4, { source: 'maturation', pending: -4 }),
  ]);
  expect(statement).toMatchObject({
    opening: { active: 7, pending: 4, locked: 3, total: 14 },
    closing: { active: 9, pending: 0, locked: 3, total: 12 },
    earned: 0,
    spent: 2,
    matured: 4,
  });
});

test('a wallet in which nothing moved has nothing in any figure', () => {
  const balances = { active: 0, pending: 0, locked: 0, total: 0 };
  const none = Object.fromEntries(FIGURES.map((figure) => [figure, 0]));
  expect(statementOf([])).toEqual({ ...none, opening: balances, closing: balances });
});

test('opening and what came in less what went out is closing, whatever happened', () => {
  const size = fc.integer({ min: 1, max: toUnits(1_000) });
  const sources = fc.constantFrom('', 'refund', 'client_deleted', 'client_anonymized');
  const whole = fc
    .tuple(
      fc.constantFrom('earn', 'spend', 'expire', 'transfer_in', 'transfer_out', 'adjust', 'cancel'),
      sources,
      size,
      fc.boolean(),
    )
    .map(([type, source, by, adds]) => {
      const direction = { earn: 1, spend: -1, expire: -1 }[type as string] ?? (adds ? 1 : -1);
      return moved(type as Movements['type'], direction * by, { source });
    });
  const within = fc
    .tuple(fc.constantFrom('lock', 'unlock'), sources, size)
    .map(([type, source, by]) => {
      const active = type === 'lock' ? -by : by;
      return moved(type as 'lock', active, { source, locked: -active });
    });
  const matured = size.map((by) => moved('unlock', by, { source: 'maturation', pending: -by }));
  const movement = fc
    .tuple(fc.oneof(whole, within, matured), fc.boolean())
    .map(([made, isBefore]) => ({ ...made, isBefore }));
  fc.assert(
    fc.property(fc.array(movement, { maxLength: 30 }), (movements) => {
      const statement = statementOf(movements);
      const sum = (figures: readonly (typeof FIGURES)[number][]) =>
        figures.reduce((so, figure) => so + statement[figure], 0);
      expect(statement.opening.total + sum(FIGURES_IN) - sum(FIGURES_OUT)).toBe(
        statement.closing.total,
      );
      for (const figure of FIGURES) expect(statement[figure]).toBeGreaterThanOrEqual(0);
    }),
    { seed: 27 },
  );
});

test('a statement beyond what numbers hold to the last digit is one all the same', () => {
  const full = 1e15;
  const { earned, closing } = statementOf(
    Array.from({ length: 20 }, () => moved('earn', full, {})),
  );
  expect([earned, closing.active, closing.total]).toEqual([2e16, 2e16, 2e16]);
});
