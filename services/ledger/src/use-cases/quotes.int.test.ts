import { newId } from '@laurel/lifecycle';
import type { ledger as api } from '@laurel/rpc';
import { answerOrRefusal, propertySettings, testClock } from '@laurel/testing';
import fc from 'fast-check';
import {
  asCaller,
  logOf,
  settleDue,
  type TestLedger,
  testLedger,
  testWorkspace,
} from '../testing/ledger';

const DAY = 86_400_000;

let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
beforeAll(async () => {
  clock = testClock();
  ledger = await testLedger({ now: () => clock.now().getTime() });
});
afterAll(() => ledger.drop());

/** As a caller hears it: the figure, or the refusal. */
const told = (work: () => Promise<number>) => answerOrRefusal(() => asCaller(work));

const amounts = fc.integer({ min: 1, max: 400_000 }).map((units) => units / 10_000);
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('earn' as const, 'spend' as const),
    amount: fc.oneof(amounts, fc.constantFrom(0, -1, 0.00001, 100_000_000_000)),
    code: fc.constantFrom(undefined, undefined, 'points', 'none'),
    expiryDays: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    pendingDays: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    daysLater: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 8 },
);
const types = fc.record({
  max_balance: fc.option(amounts, { nil: undefined }),
  allow_negative_balance: fc.boolean(),
});

test('what a quote says is what is then written or refused, with whatever is due settled first', async () => {
  await fc.assert(
    fc.asyncProperty(types, steps, async ({ max_balance, ...type }, happenings) => {
      const limited = { ...type, ...(max_balance === undefined ? {} : { max_balance }) };
      const workspace_id = await testWorkspace(ledger, limited);
      const client_id = newId();
      for (const { what, amount, code, expiryDays, pendingDays, daysLater } of happenings) {
        const request: api.SpendRequest & api.EarnRequest = {
          workspace_id,
          client_id,
          amount,
          ...(code === undefined ? {} : { wallet_type_code: code }),
          ...(what === 'spend' || expiryDays === undefined ? {} : { expiry_days: expiryDays }),
          ...(what === 'spend' || pendingDays === undefined ? {} : { pending_days: pendingDays }),
        };
        const { rpc } = ledger;
        const [quote, act] =
          what === 'earn' ? [rpc.QuoteEarn, rpc.EarnPoints] : [rpc.QuoteSpend, rpc.SpendPoints];
        const foretold = await told(async () => (await quote(request)).amount);
        const done = await told(async () => (await act(request)).entry!.amount);
        expect(foretold).toEqual(done);
        clock.advanceMs(daysLater * DAY);
      }
    }),
    propertySettings(8),
  );
});

test('a quote writes nothing, not even what is due', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const earned = { workspace_id, client_id, amount: 10, expiry_days: 1 };
  await asCaller(() => ledger.rpc.EarnPoints(earned));
  clock.advanceMs(2 * DAY);
  const asked = { workspace_id, client_id, amount: 4 };
  expect(await told(async () => (await ledger.rpc.QuoteSpend(asked)).amount)).toMatchObject({
    problems: [{ field: 'amount', extensions: { reason: 'insufficient_balance' } }],
  });
  expect(await asCaller(() => ledger.rpc.QuoteEarn(asked))).toEqual({
    amount: 4,
    wallet_type_code: 'points',
    pending: 0,
    balance_after: 4,
  });
  const { wallets } = await ledger.rpc.GetBalances({ workspace_id, client_id });
  const { id } = wallets[0]!.wallet!;
  const entries = await logOf(ledger, workspace_id, id);
  expect(entries.map(({ type }) => type)).toEqual(['earn']);
});

test('balances of a moment to come are those that are there by then if nothing happens, and writing nothing tells them', async () => {
  const lots = fc.array(
    fc.record({
      amount: amounts,
      expiryDays: fc.integer({ min: 1, max: 6 }),
      pendingDays: fc.integer({ min: 0, max: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const { rpc, deps } = ledger;
  await fc.assert(
    fc.asyncProperty(lots, fc.integer({ min: 0, max: 10 }), async (earned, daysLater) => {
      const workspace_id = await testWorkspace(ledger);
      const client = { workspace_id, client_id: newId() };
      for (const { amount, expiryDays, pendingDays } of earned)
        await asCaller(() =>
          rpc.EarnPoints({
            ...client,
            amount,
            expiry_days: expiryDays,
            pending_days: pendingDays,
          }),
        );
      const at = new Date(clock.now().getTime() + daysLater * DAY).toISOString();
      const { wallets } = await rpc.GetWallets({ ...client, at, foretells: true });
      const { wallets: present } = await rpc.GetWallets({ ...client, at });
      expect(present).toEqual((await rpc.GetBalances(client)).wallets);
      clock.advanceMs(daysLater * DAY);
      await settleDue(deps);
      expect(wallets).toEqual((await rpc.GetBalances(client)).wallets);
    }),
    propertySettings(8),
  );
});

test('what a quote says of taking back what a purchase earned is what is then taken, or refused, and again of its repeat', async () => {
  const earned = fc.array(
    fc.record({ amount: amounts, pendingDays: fc.integer({ min: 0, max: 2 }) }),
    { maxLength: 3 },
  );
  const refunds = fc.array(
    fc.record({
      share: fc.constantFrom({ ratio: 0.5 }, { ratio: 1 }, { amount: 10, purchase_amount: 30 }),
      external_id: fc.constantFrom(undefined, 'one', 'two'),
      spent: fc.integer({ min: 0, max: 20 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const { rpc } = ledger;
  await fc.assert(
    fc.asyncProperty(types, earned, refunds, async (type, gifts, steps) => {
      const { max_balance, ...rest } = type;
      const limited = { ...rest, ...(max_balance === undefined ? {} : { max_balance }) };
      const workspace_id = await testWorkspace(ledger, limited);
      const client = { workspace_id, client_id: newId() };
      const source = { source_type: 'transaction', source_id: 'order' };
      for (const { amount, pendingDays: pending_days } of gifts)
        await told(async () => {
          await rpc.EarnPoints({ ...client, ...source, amount, pending_days });
          return 0;
        });
      for (const { share, external_id, spent } of steps) {
        if (spent > 0)
          await told(async () => {
            await rpc.SpendPoints({ ...client, amount: spent });
            return 0;
          });
        const named = external_id === undefined ? {} : { external_id };
        const request = { workspace_id, source_id: 'order', ...share, ...named };
        const sums = (reply: { refunded_points: number; shortfall: number }) =>
          `${reply.refunded_points} ${reply.shortfall}` as never;
        const foretold = await told(async () => sums(await rpc.QuotePurchaseRefund(request)));
        expect(foretold).toEqual(await told(async () => sums(await rpc.RefundPurchase(request))));
      }
    }),
    propertySettings(10),
  );
});

describe('what would be beyond the range of exact amounts', () => {
  const MOST = 100_000_000_000;
  const earned = (workspace_id: string, client_id: string, amount: number) =>
    asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount }));

  test('is refused of a transfer, on the amount, and both wallets stay as they are', async () => {
    const workspace_id = await testWorkspace(ledger);
    const [from_client_id, to_client_id] = [newId(), newId()];
    await earned(workspace_id, from_client_id, 1);
    await earned(workspace_id, to_client_id, MOST);
    await expect(
      asCaller(() =>
        ledger.rpc.TransferPoints({ workspace_id, from_client_id, to_client_id, amount: 1 }),
      ),
    ).rejects.toMatchObject({ httpStatus: 400, problems: [{ field: 'amount' }] });
    expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  });

  test('is refused of a merge before it begins, also where only the totals would be', async () => {
    const workspace_id = await testWorkspace(ledger);
    const [source_client_id, target_client_id] = [newId(), newId()];
    const merge = { workspace_id, source_client_id, target_client_id };
    await earned(workspace_id, target_client_id, MOST);
    expect(await ledger.rpc.QuoteMerge(merge)).toEqual({});
    await earned(workspace_id, source_client_id, 0.0001);
    const refused = { httpStatus: 400, problems: [{ field: 'source_client_id' }] };
    await expect(ledger.rpc.QuoteMerge(merge)).rejects.toMatchObject(refused);
    const spend = { workspace_id, client_id: target_client_id, amount: MOST };
    await asCaller(() => ledger.rpc.SpendPoints(spend));
    await expect(ledger.rpc.QuoteMerge(merge)).rejects.toMatchObject(refused);
    await expect(asCaller(() => ledger.rpc.MergeClientWallets(merge))).rejects.toMatchObject({
      httpStatus: 400,
    });
  });

  test('is refused of no merge that is through: its repeat is answered', async () => {
    const workspace_id = await testWorkspace(ledger);
    const [source_client_id, target_client_id] = [newId(), newId()];
    const merge = { workspace_id, source_client_id, target_client_id };
    await earned(workspace_id, source_client_id, MOST);
    await asCaller(() => ledger.rpc.MergeClientWallets(merge));
    expect(await ledger.rpc.QuoteMerge(merge)).toEqual({});
  });
});
