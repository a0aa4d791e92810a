import { newId } from '@laurel/lifecycle';
import { testClock } from '@laurel/testing';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

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
