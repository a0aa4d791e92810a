import fc from 'fast-check';

type Credit =
  | { do: 'earn'; amount: number; pendingDays: number; expiryDays: number | null }
  | { do: 'up'; amount: number; expiryDays: number | null };
type Debit = { do: 'spend'; amount: number } | { do: 'down'; amount: number };

/** One thing that happens; `pick` and `other` choose among what there is to choose from. */
type Happening =
  | Credit
  | Debit
  | { do: 'lock'; amount: number }
  | { do: 'release'; pick: number }
  | { do: 'cancel'; pick: number }
  | { do: 'capture'; pick: number; amount: number | null }
  | { do: 'refund'; pick: number; quarters: number }
  | { do: 'transfer'; other: number; amount: number }
  | { do: 'merge'; other: number }
  | { do: 'close' }
  | { do: 'batch'; operations: (Credit | Debit)[] }
  | { do: 'wait'; hours: number };

/** Something that happens to one of a few clients. */
export type Step = Happening & { client: number };
export type Of<D extends Happening['do']> = Extract<Step, { do: D }>;

const amount = fc.integer({ min: 1, max: 60 });
const pick = fc.nat(50);
const other = fc.nat(50);
const days = fc.option(fc.integer({ min: 1, max: 4 }));

const credit: fc.Arbitrary<Credit> = fc.oneof(
  fc.record({ do: fc.constant('earn'), amount, pendingDays: fc.nat(2), expiryDays: days }),
  fc.record({ do: fc.constant('up'), amount, expiryDays: days }),
);
const debit: fc.Arbitrary<Debit> = fc.record({ do: fc.constantFrom('spend', 'down'), amount });
const operations = fc.array(fc.oneof(credit, debit), { minLength: 2, maxLength: 5 });

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 16, arbitrary: credit },
  { weight: 10, arbitrary: debit },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('lock'), amount }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom('release', 'cancel'), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('capture'), pick, amount: fc.option(amount) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('refund'),
      pick,
      quarters: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('transfer'), other, amount }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('batch'), operations }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.integer({ min: 1, max: 40 }) }),
  },
  // Rare, because a wallet that ended takes no further part.
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge'), other }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close') }) },
);

/** Up to 100 things that happen to so many clients, in any order. */
export function storiesOf(clients: number, minLength = 0): fc.Arbitrary<Step[]> {
  const step = fc
    .tuple(happening, fc.nat(clients - 1))
    .map(([what, client]): Step => ({ ...what, client }));
  return fc.array(step, { minLength, maxLength: 100, size: 'max' });
}
