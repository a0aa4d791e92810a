import fc from 'fast-check';
import { OpenPoints } from './open-points';
import type { EntryBody } from './types';

type Opened = Pick<EntryBody, 'lots' | 'holds' | 'consumed' | 'after'>;
type Sums = { active: number; pending: number; locked: number };

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

/** The same by the sentence: all that is open is added up after each entry. */
class AddedUp {
  private readonly lots = new Map<string, { left: number; pending: boolean }>();
  private readonly holds = new Map<string, number>();

  next({ lots, holds, consumed, after }: Opened, complain: (problem: string) => void): void {
    for (const { id, by, matures_at } of lots) {
      const left = (this.lots.get(id)?.left ?? 0) + by;
      if (left < 0) complain(`lot ${id} gives more than it has`);
      if (left === 0) this.lots.delete(id);
      else this.lots.set(id, { left, pending: matures_at !== null });
    }
    for (const { id, amount, parts } of holds) {
      if (amount === 0) this.holds.delete(id);
      else this.holds.set(id, amount);
      if (sum(parts.map((part) => part.amount)) !== amount) complain(`hold ${id} does not add up`);
    }
    if (consumed.some((part) => part.amount <= 0)) complain('a lot was used up by nothing');
    const { active, pending, locked } = this.sums();
    if (active !== Math.max(0, after.active)) complain('lots do not add up to the active balance');
    if (pending !== after.pending) complain('lots do not add up to the pending balance');
    if (locked !== after.locked) complain('holds do not add up');
  }

  sums(): Sums {
    const open = [...this.lots.values()];
    return {
      active: sum(open.filter(({ pending }) => !pending).map(({ left }) => left)),
      pending: sum(open.filter((lot) => lot.pending).map(({ left }) => left)),
      locked: sum([...this.holds.values()]),
    };
  }
}

const MAX = Number.MAX_SAFE_INTEGER;
/** What ledgers write most of the time, else what only a forger would. */
const amount = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: -5, max: 5 }) },
  { weight: 2, arbitrary: fc.constantFrom(0.1, -0.1, 0.2, 1e15, -1e15, MAX, -MAX, 3 * MAX) },
  { weight: 1, arbitrary: fc.constantFrom(-0, Number.NaN, '7' as never, undefined as never) },
);
const whole = fc.integer({ min: -5, max: 5 });
const name = fc.constantFrom('a', 'b', 'c', 'd');
const entriesOf = (amounts: fc.Arbitrary<number>) =>
  fc.array(
    fc.record({
      lots: fc.array(
        fc.record({
          id: name,
          by: amounts,
          matures_at: fc.constantFrom(null, 5),
          expires_at: fc.constant(null),
        }),
        { maxLength: 4 },
      ),
      holds: fc.array(
        fc.record({
          id: name,
          amount: amounts,
          parts: fc.array(fc.record({ amount: amounts }), { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      consumed: fc.array(fc.record({ id: name, amount: whole }), { maxLength: 1 }),
      isTrue: fc.boolean(),
      off: whole,
    }),
    { maxLength: 30 },
  );

test.each([
  ['what ledgers write', whole],
  ['whatever an export holds', amount],
])(
  'sums that change with the entries find what adding up after each one finds: %s',
  (_name, amounts) => {
    fc.assert(
      fc.property(entriesOf(amounts), (entries) => {
        const [open, addedUp] = [new OpenPoints(), new AddedUp()];
        for (const { isTrue, off, ...entry } of entries) {
          const found: string[] = [];
          const expected: string[] = [];
          // The balances are those that the lots come to, or a little beside them.
          const trial = new AddedUp();
          Object.assign(trial, structuredClone({ ...addedUp }));
          trial.next({ ...entry, after: {} as never }, () => undefined);
          const { active, pending, locked } = trial.sums();
          const by = isTrue ? 0 : off;
          const after = {
            active: active + by,
            pending: pending - by,
            locked: locked + by,
          } as never;
          addedUp.next({ ...entry, after }, (problem) => expected.push(problem));
          open.next({ ...entry, after }, (problem) => found.push(problem));
          expect(found).toEqual(expected);
        }
      }),
      { numRuns: 1_000 },
    );
  },
);

test('a wallet of very many open lots is checked in steps of what each entry changes', () => {
  const open = new OpenPoints();
  const problems: string[] = [];
  const LOTS = 150_000;
  for (let at = 1; at <= LOTS; at += 1) {
    const lots = [{ id: `lot ${at}`, by: 10, matures_at: null, expires_at: null }];
    const after = { active: 10 * at, pending: 0, locked: 0 } as never;
    open.next({ lots, holds: [], consumed: [], after }, (problem) => problems.push(problem));
  }
  expect(problems).toEqual([]);
  const after = { active: 10 * LOTS + 1, pending: 0, locked: 0 } as never;
  open.next({ lots: [], holds: [], consumed: [], after }, (problem) => problems.push(problem));
  expect(problems).toEqual(['lots do not add up to the active balance']);
});
