import { newId } from '@laurel/lifecycle';
import type { ledger as api } from '@laurel/rpc';
import { testClock } from '@laurel/testing';
import fc from 'fast-check';
import type { EntryDocument } from '../store/documents';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { settleDueWallets } from './settle-due-wallets';

const HOUR = 3_600_000;
const CREDITS = ['earned', 'adjusted_credits', 'cancelled_credits', 'transferred_in'] as const;
const DEBITS = [
  'spent',
  'expired',
  'adjusted_debits',
  'cancelled_debits',
  'refunded',
  'transferred_out',
  'breakage',
] as const;

let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
beforeAll(async () => {
  clock = testClock();
  ledger = await testLedger({ now: () => clock.now().getTime() });
});
afterAll(() => ledger.drop());

const units = (decimal: number) => Math.round(decimal * 10_000);
const iso = (at: Date | number) => new Date(at).toISOString();

/** One thing that somebody does; what is refused changes nothing. */
type Step = { client: number; other: number; what: number; amount: number; hours: number };
const step = fc.record({
  client: fc.nat(3),
  other: fc.nat(3),
  what: fc.nat(11),
  amount: fc.integer({ min: 1, max: 400_000 }).map((each) => each / 10_000),
  hours: fc.nat(20),
});

async function take(workspace_id: string, clients: string[], made: string[], step: Step) {
  clock.advanceMs(step.hours * HOUR + 1);
  const { rpc, deps, standings } = ledger;
  const client_id = clients[step.client]!;
  const { amount } = step;
  const who = { workspace_id, client_id, amount };
  const newest = made.at(-1);
  const steps: (() => Promise<{ entry?: api.Entry } | unknown>)[] = [
    () => rpc.EarnPoints({ ...who, source_type: 'transaction', source_id: `sale-${step.client}` }),
    () => rpc.EarnPoints({ ...who, pending_days: 1, expiry_days: 2 }),
    () => rpc.EarnPoints({ ...who, expiry_days: 1 }),
    () => rpc.SpendPoints(who),
    () => rpc.AdjustPoints({ ...who, description: 'more' }),
    () => rpc.AdjustPoints({ ...who, amount: -amount, description: 'less' }),
    () => rpc.LockPoints({ ...who, expires_in_seconds: 60 }),
    () =>
      rpc.TransferPoints({
        workspace_id,
        amount,
        from_client_id: client_id,
        to_client_id: clients[step.other]!,
      }),
    () => rpc.RefundPurchase({ workspace_id, source_id: `sale-${step.client}`, ratio: 0.25 }),
    async () => newest && rpc.CancelEntry({ workspace_id, entry_id: newest, reason: 'wrong' }),
    async () => {
      if (step.client !== 3) return;
      const anonymized = step.other > 1;
      standings.set(client_id, anonymized ? 'anonymized' : null);
      await rpc.CloseClientWallets({ workspace_id, client_id, anonymized });
    },
    async () => {
      await deps.log.drained();
      await settleDueWallets(deps);
    },
  ];
  try {
    const answer = await asCaller(() => steps[step.what]!());
    const { entry } = (answer ?? {}) as { entry?: api.Entry };
    if (entry) made.push(entry.id);
  } catch (error) {
    if ((error as { name: string }).name !== 'Refusal') throw error;
  }
}

const entriesOf = async (workspace_id: string): Promise<EntryDocument[]> =>
  ledger.deps.entries.collection.find({ workspace_id }).sort({ _id: 1 }).toArray();

/** Balances from the entries alone, added up one by one. */
function balancesAt(entries: EntryDocument[], at: number) {
  const sums = { active: 0, pending: 0, locked: 0 };
  for (const { created_at, change } of entries) {
    if (created_at.getTime() > at) continue;
    for (const name of ['active', 'pending', 'locked'] as const) sums[name] += change[name];
  }
  return { ...sums, total: sums.active + sums.pending + sums.locked };
}

const inUnits = (balances: api.Balances) =>
  Object.fromEntries(Object.entries(balances).map(([name, each]) => [name, units(each)]));

test('a statement of any time closes to the last decimal, and opens where the one before closed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (story) => {
      const workspace_id = await testWorkspace(ledger, { allow_negative_balance: true });
      const clients = Array.from({ length: 4 }, newId);
      const start = clock.now().getTime();
      const made: string[] = [];
      for (const each of story) await take(workspace_id, clients, made, each);
      const end = clock.now().getTime();
      const entries = await entriesOf(workspace_id);

      for (const share of [0, 0.3, 0.7]) {
        const from = Math.floor(start + (end - start) * share);
        const statement = await ledger.rpc.GetStatement({
          workspace_id,
          wallet_type_code: 'points',
          from_date: iso(from),
          to_date: iso(end),
        });
        expect(inUnits(statement.opening!)).toEqual(balancesAt(entries, from - 1));
        expect(inUnits(statement.closing!)).toEqual(balancesAt(entries, end));
        const sum = (names: readonly (keyof api.Statement)[]) =>
          names.reduce((total, name) => total + units(statement[name] as number), 0);
        expect(units(statement.opening!.total) + sum(CREDITS) - sum(DEBITS)).toBe(
          units(statement.closing!.total),
        );
        for (const name of [...CREDITS, ...DEBITS])
          expect(statement[name]).toBeGreaterThanOrEqual(0);
      }

      // What is owed at a moment is what point-in-time balances say of every wallet.
      const at = Math.floor((start + end) / 2);
      const wallets = [...new Set(entries.map(({ wallet_id }) => wallet_id))].map((id) =>
        balancesAt(
          entries.filter(({ wallet_id }) => wallet_id === id),
          at,
        ),
      );
      const summary = await ledger.rpc.SummarizePoints({ workspace_id, to_date: iso(at) });
      const positive = wallets.map(({ active }) => Math.max(0, active));
      expect(units(summary.active_liability)).toBe(positive.reduce((a, b) => a + b, 0));
      const { debts } = await ledger.rpc.GetStatement({
        workspace_id,
        wallet_type_code: 'points',
        to_date: iso(at),
      });
      const below = wallets.map(({ active }) => Math.max(0, -active));
      expect(units(debts)).toBe(below.reduce((a, b) => a + b, 0));
    }),
    {
      numRuns: Number(process.env.PROPERTY_RUNS ?? 6),
      seed: Number(process.env.PROPERTY_SEED ?? 7),
    },
  );
});

test("a client's statement runs from balance to balance through every entry", async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const earn = (amount: number, more = {}) =>
    asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount, ...more }));
  await earn(10);
  clock.advanceMs(HOUR);
  const from_date = iso(clock.now());
  await earn(5.5, { expiry_days: 30 });
  await earn(3, { pending_days: 5 });
  const statement = await ledger.rpc.GetClientStatement({ workspace_id, client_id, from_date });
  expect(statement.opening).toEqual({ active: 10, pending: 0, locked: 0, total: 10 });
  expect(statement.entries.map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
    [3, 15.5],
    [5.5, 15.5],
  ]);
  expect(statement.closing).toEqual({ active: 15.5, pending: 3, locked: 0, total: 18.5 });
  expect(statement.expiring).toMatchObject([{ amount: 5.5 }]);
  const before = await ledger.rpc.GetClientStatement({ workspace_id, client_id, to_date: iso(0) });
  expect(before).toMatchObject({ entries: [], closing: { total: 0 } });
});

test('points of an anonymized client are breakage and no liability, those on hold and pending too', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const own = { workspace_id, client_id };
  await asCaller(() => ledger.rpc.EarnPoints({ ...own, amount: 9 }));
  await asCaller(() => ledger.rpc.EarnPoints({ ...own, amount: 2, pending_days: 3 }));
  await asCaller(() => ledger.rpc.LockPoints({ ...own, amount: 4 }));
  await ledger.rpc.CloseClientWallets({ ...own, anonymized: true });
  await ledger.rpc.CloseClientWallets({ ...own, anonymized: true });
  const statement = await ledger.rpc.GetStatement({ workspace_id, wallet_type_code: 'points' });
  expect(statement).toMatchObject({ earned: 11, breakage: 11, closing: { total: 0 }, wallets: 1 });
  const [closing] = (await ledger.rpc.ListEntries({ ...own, limit: 1, offset: 0 })).entries;
  expect(closing).toMatchObject({ type: 'adjust', source_type: 'client_anonymized', amount: -9 });
  expect(await ledger.rpc.SummarizePoints({ workspace_id })).toMatchObject({
    active_liability: 0,
    by_wallet_type: [{ wallet_type_code: 'points', earned: 11, active_liability: 0 }],
  });
  expect((await ledger.rpc.VerifyLedger({ workspace_id })).valid).toBe(true);
});

test('an external_id makes a spend happen once, and only for the same amount', async () => {
  const workspace_id = await testWorkspace(ledger);
  const own = { workspace_id, client_id: newId() };
  await asCaller(() => ledger.rpc.EarnPoints({ ...own, amount: 10 }));
  const spend = (amount: number) =>
    asCaller(() => ledger.rpc.SpendPoints({ ...own, amount, external_id: 'receipt 1' }));
  const [first, second] = await Promise.all([spend(4), spend(4)]);
  expect(second.entry!.id).toBe(first.entry!.id);
  expect([first.replayed, second.replayed].sort()).toEqual([false, true]);
  await expect(spend(5)).rejects.toMatchObject({ code: 'CONFLICT' });
});
