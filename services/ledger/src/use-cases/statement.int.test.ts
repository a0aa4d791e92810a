import { newId } from '@laurel/lifecycle';
import type { ledger as api } from '@laurel/rpc';
import { testClock } from '@laurel/testing';
import { asCaller, settleDue, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

const HOUR = 3_600_000;
let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
beforeAll(async () => {
  clock = testClock();
  ledger = await testLedger({ now: () => clock.now().getTime() });
});
afterAll(() => ledger.drop());

const iso = (at: Date | number) => new Date(at).toISOString();

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

test("a client's statement of more metadata than one answer carries is refused, and one of a shorter time is not", async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const metadata = { note: '€'.repeat(19_900) };
  const earn = () =>
    asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 1, metadata }));
  for (let time = 0; time < 145; time += 1) await earn();
  await expect(ledger.rpc.GetClientStatement({ workspace_id, client_id })).rejects.toMatchObject({
    httpStatus: 400,
    problems: [{ field: 'from_date', extensions: { reason: 'statement_too_long' } }],
  });
  clock.advanceMs(HOUR);
  const from_date = iso(clock.now());
  await earn();
  const statement = await ledger.rpc.GetClientStatement({ workspace_id, client_id, from_date });
  expect(statement).toMatchObject({ opening: { total: 145 }, closing: { total: 146 } });
  expect(statement.entries).toMatchObject([{ metadata }]);
});

test('a workspace whose wallets come to more than one amount may be still has its figures', async () => {
  const workspace_id = await testWorkspace(ledger);
  for (const amount of [100_000_000_000, 0.5])
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id: newId(), amount }));
  const whole = 100_000_000_000.5;
  expect(await ledger.rpc.SummarizePoints({ workspace_id })).toMatchObject({
    earned: whole,
    active_liability: whole,
  });
  expect(await ledger.rpc.GetStatement({ workspace_id, wallet_type_code: 'points' })).toMatchObject(
    { earned: whole, closing: { total: whole } },
  );
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

test('points of members who are gone are breakage alone, and their debts are written off beside it: no figure is below zero', async () => {
  const workspace_id = await testWorkspace(ledger, { allow_negative_balance: true });
  const [saver, debtor] = [newId(), newId()];
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id: saver, amount: 11 }));
  await asCaller(() => ledger.rpc.SpendPoints({ workspace_id, client_id: debtor, amount: 4.5 }));
  const pending = { workspace_id, client_id: debtor, amount: 2, pending_days: 3 };
  await asCaller(() => ledger.rpc.EarnPoints(pending));
  await ledger.rpc.CloseClientWallets({ workspace_id, client_id: debtor });
  const asked = { workspace_id, wallet_type_code: 'points' };
  expect(await ledger.rpc.GetStatement(asked)).toMatchObject({
    spent: 4.5,
    breakage: 2,
    adjusted_credits: 4.5,
    cancelled_debits: 0,
    debts: 0,
    closing: { total: 11 },
  });
  await ledger.rpc.CloseClientWallets({ workspace_id, client_id: saver, anonymized: true });
  expect(await ledger.rpc.GetStatement(asked)).toMatchObject({
    earned: 13,
    breakage: 13,
    adjusted_credits: 4.5,
    adjusted_debits: 0,
    closing: { total: 0 },
  });
});

test('whatever callers call the source of what they earn and spend, it stays earned and spent', async () => {
  const workspace_id = await testWorkspace(ledger);
  const sources = ['client_deleted', 'client_anonymized', 'refund', 'maturation', 'merge'];
  for (const source_type of sources) {
    const own = { workspace_id, client_id: newId(), source_type };
    await asCaller(() => ledger.rpc.EarnPoints({ ...own, amount: 10 }));
    await asCaller(() => ledger.rpc.SpendPoints({ ...own, amount: 4 }));
  }
  const asked = { workspace_id, wallet_type_code: 'points' };
  const figures = { earned: 50, spent: 20, breakage: 0, matured: 0, refunded: 0 };
  expect(await ledger.rpc.GetStatement(asked)).toMatchObject(figures);
});

test('the list of entries adds up to the balances at every moment, after a merge of pending points and holds too', async () => {
  const workspace_id = await testWorkspace(ledger);
  const [source, target] = [newId(), newId()];
  const as = (client_id: string) => ({ workspace_id, client_id });
  const steps = [
    () => ledger.rpc.EarnPoints({ ...as(source), amount: 10 }),
    () => ledger.rpc.EarnPoints({ ...as(source), amount: 2.5, pending_days: 3 }),
    () => ledger.rpc.LockPoints({ ...as(source), amount: 4 }),
    () => ledger.rpc.EarnPoints({ ...as(target), amount: 1 }),
  ];
  for (const step of steps) await asCaller(step);
  const merge = { workspace_id, source_client_id: source, target_client_id: target };
  await ledger.rpc.MergeClientWallets(merge);
  clock.advanceMs(5 * 24 * HOUR);
  await ledger.deps.log.drained();
  await settleDue(ledger.deps);
  for (const client_id of [source, target]) {
    const { entries } = await ledger.rpc.ListEntries({ ...as(client_id), limit: 100, offset: 0 });
    const sums = { active: 0, pending: 0, locked: 0 };
    for (const entry of entries.reverse()) {
      addUp(sums, entry);
      expect(sums.active).toBe(entry.balance_after);
    }
    const { wallets } = await ledger.rpc.GetBalances(as(client_id));
    const { active_balance, pending_balance, locked_balance } = wallets[0]!.wallet!;
    expect(sums).toEqual({
      active: active_balance,
      pending: pending_balance,
      locked: locked_balance,
    });
  }
});

/** What an accountant knows of an entry: its type and amount (part 3, section 4.2), and what a merge says it moved. */
function addUp(sums: { active: number; pending: number; locked: number }, entry: api.Entry): void {
  const { type, amount, source_type, metadata } = entry;
  const { balance = 'active' } = metadata as { balance?: keyof typeof sums };
  if (type === 'transfer_in' || type === 'transfer_out') sums[balance] += amount;
  else if (type === 'lock') {
    sums.active += amount;
    sums.locked -= amount;
  } else if (type === 'unlock') {
    sums.active += amount;
    sums[source_type === 'maturation' ? 'pending' : 'locked'] -= amount;
  } else if (type === 'earn' && amount === 2.5) sums.pending += amount;
  else sums.active += amount;
}

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
