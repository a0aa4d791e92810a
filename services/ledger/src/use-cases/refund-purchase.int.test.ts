import {
  forgetSandbox,
  newId,
  noteSandbox,
  runInContext,
  systemContext,
  workspaceClock,
} from '@laurel/lifecycle';
import { AMOUNT_MAX } from '@laurel/values/amount';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { finishRefunds } from './finish-refunds';
import { refundPurchase } from './refund-purchase';

let ledger: TestLedger;
let other: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
  other = await ledger.replica();
});
afterAll(async () => {
  await other.deps.log.drained();
  await ledger.drop();
});

const earnFor = (workspace_id: string, client_id: string) =>
  asCaller(() =>
    ledger.rpc.EarnPoints({
      workspace_id,
      client_id,
      amount: 100,
      source_type: 'transaction',
      source_id: 'order',
    }),
  );
const refundHalf = (workspace_id: string) =>
  asCaller(() => other.rpc.RefundPurchase({ workspace_id, source_id: 'order', ratio: 0.5 }));
async function balanceOf(workspace_id: string, client_id: string): Promise<number> {
  const { wallets } = await other.rpc.GetBalances({ workspace_id, client_id });
  return wallets[0]!.wallet!.active_balance;
}

test('a refund decided where a merge has not been heard of follows the points to the target', async () => {
  const workspace_id = await testWorkspace(ledger);
  const [source_client_id, target_client_id] = [newId(), newId()];
  await earnFor(workspace_id, source_client_id);
  // From here on the other process remembers the source as it is before the merge.
  await balanceOf(workspace_id, source_client_id);
  await ledger.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id });
  expect(await refundHalf(workspace_id)).toMatchObject({ refunded_points: 50, shortfall: 0 });
  expect(await balanceOf(workspace_id, target_client_id)).toBe(50);
});

test('a refund leaves the balance of a deleted client at zero, even where it might go below', async () => {
  const workspace_id = await testWorkspace(ledger, { allow_negative_balance: true });
  const client_id = newId();
  await earnFor(workspace_id, client_id);
  await ledger.rpc.CloseClientWallets({ workspace_id, client_id });
  expect(await refundHalf(workspace_id)).toMatchObject({ refunded_points: 0, shortfall: 50 });
  expect(await balanceOf(workspace_id, client_id)).toBe(0);
});

test('points of a purchase that are pending go back before a refund falls short, and are made up for later', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const earned = await earnFor(workspace_id, client_id);
  const sale = { source_type: 'transaction', source_id: 'order' };
  const client = { workspace_id, client_id };
  const pending = await asCaller(() =>
    ledger.rpc.EarnPoints({ ...client, ...sale, amount: 100, pending_days: 9 }),
  );
  await asCaller(() => ledger.rpc.SpendPoints({ ...client, amount: 100 }));
  const figures = async () => (await other.rpc.GetBalances(client)).wallets[0]!.wallet!;

  const asked = { workspace_id, source_id: 'order', ratio: 0.5 };
  const quote = await other.rpc.QuotePurchaseRefund(asked);
  expect(quote).toMatchObject({ refunded_points: 100, shortfall: 0, taken: [{ pending: -100 }] });
  const first = await refundHalf(workspace_id);
  expect(first).toMatchObject({ refunded_points: 100, shortfall: 0 });
  expect(first.entries).toMatchObject([{ source_id: pending.entry!.id, amount: -100 }]);
  expect(await figures()).toMatchObject({ pending_balance: 0, active_balance: 0 });

  await asCaller(() => ledger.rpc.EarnPoints({ ...client, amount: 70 }));
  const second = await refundHalf(workspace_id);
  expect(second).toMatchObject({ refunded_points: 70, shortfall: 30 });
  expect(second.entries).toMatchObject([{ source_id: earned.entry!.id, amount: -70 }]);
});

test('a refund of what earned nothing says so, and of which field', async () => {
  const workspace_id = await testWorkspace(ledger);
  await expect(refundHalf(workspace_id)).rejects.toMatchObject({
    code: 'RECORD_NOT_FOUND',
    problems: [{ field: 'source_id', extensions: { reason: 'nothing_earned' } }],
  });
});

test('an earn whose refunds add up to all of it is cancelled, and what they took carries their external_id', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const { entry } = await earnFor(workspace_id, client_id);
  const statusOf = async () => (await ledger.rpc.GetEntry({ workspace_id, id: entry!.id })).status;
  for (const part of [1, 2, 3]) {
    expect(await statusOf()).toBe('active');
    const external_id = `return ${part}`;
    const third = { source_id: 'order', amount: 10, purchase_amount: 30, external_id };
    const refund = await asCaller(() => other.rpc.RefundPurchase({ workspace_id, ...third }));
    expect(refund.entries).toMatchObject([{ external_id, source_type: 'refund' }]);
  }
  expect(await statusOf()).toBe('cancelled');
  expect(await balanceOf(workspace_id, client_id)).toBe(0);
});

test('an earn that refunds took back whole out of other points cannot be cancelled, though its own are there again', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const { entry } = await earnFor(workspace_id, client_id);
  const redemption = { workspace_id, client_id, amount: 100, operation_id: 'redemption' };
  await asCaller(() => ledger.rpc.SpendPoints(redemption));
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 100 }));
  const whole = { workspace_id, source_id: 'order', ratio: 1 };
  const { refunded_points } = await asCaller(() => other.rpc.RefundPurchase(whole));
  expect(refunded_points).toBe(100);
  const undone = { workspace_id, spend_operation_id: 'redemption' };
  await asCaller(() => ledger.rpc.RefundSpend(undone));
  const cancel = { workspace_id, entry_id: entry!.id, reason: 'by mistake' };
  await expect(asCaller(() => other.rpc.CancelEntry(cancel))).rejects.toMatchObject({
    code: 'CONFLICT',
    problems: [{ extensions: { reason: 'nothing_left' } }],
  });
  expect(await balanceOf(workspace_id, client_id)).toBe(100);
});

test('a cancel and refunds of one earn at once never take back more than all of it', async () => {
  for (let round = 0; round < 8; round += 1) {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    const { entry } = await earnFor(workspace_id, client_id);
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 500 }));
    const cancel = { workspace_id, entry_id: entry!.id, reason: 'by mistake' };
    await Promise.allSettled([
      refundHalf(workspace_id),
      asCaller(() => ledger.rpc.CancelEntry(cancel)),
      refundHalf(workspace_id),
    ]);
    expect(await balanceOf(workspace_id, client_id)).toBe(500);
    expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  }
});

describe('points that no longer move are not asked back', () => {
  test('of a client who was anonymized, also of one who was merged into them', async () => {
    const workspace_id = await testWorkspace(ledger);
    const [source_client_id, target_client_id] = [newId(), newId()];
    await earnFor(workspace_id, source_client_id);
    await other.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id });
    const asked = { workspace_id, source_id: 'order', ratio: 0.5, external_id: 'before' };
    const first = await asCaller(() => other.rpc.RefundPurchase(asked));
    other.standings.set(target_client_id, 'anonymized');
    const refused = {
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'source_id', extensions: { reason: 'client_anonymized' } }],
    };
    await expect(refundHalf(workspace_id)).rejects.toMatchObject(refused);
    await expect(
      asCaller(() => other.rpc.QuotePurchaseRefund({ ...asked, external_id: 'again' })),
    ).rejects.toMatchObject(refused);
    const again = await asCaller(() => other.rpc.RefundPurchase(asked));
    expect(again).toMatchObject({ entries: first.entries, replayed: true });
    // Somebody else's sale has the same number.
    await earnFor(workspace_id, newId());
    expect(await refundHalf(workspace_id)).toMatchObject({ replayed: false });
  });

  test('of a wallet type that is switched off', async () => {
    const workspace_id = await testWorkspace(ledger);
    const stamps = { workspace_id, code: 'stamps', name: 'Stamps' };
    const { id } = await ledger.rpc.CreateWalletType(stamps);
    const client_id = newId();
    const purchase = { source_type: 'transaction', source_id: 'order' };
    const given = { workspace_id, client_id, amount: 10, wallet_type_code: 'stamps' };
    await asCaller(() => ledger.rpc.EarnPoints({ ...given, ...purchase }));
    await ledger.rpc.UpdateWalletType({ workspace_id, id, active: false });
    await expect(refundHalf(workspace_id)).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'source_id', extensions: { reason: 'wallet_type_inactive' } }],
    });
    await ledger.rpc.UpdateWalletType({ workspace_id, id, active: true });
    expect(await refundHalf(workspace_id)).toMatchObject({ refunded_points: 5 });
  });
});

test('a refund takes its share of points of several kinds, and of sales for more than one amount can be', async () => {
  const workspace_id = await testWorkspace(ledger);
  await ledger.rpc.CreateWalletType({ workspace_id, code: 'stamps', name: 'Stamps' });
  const client_id = newId();
  const half = 0.6 * AMOUNT_MAX;
  const purchase = { source_type: 'transaction', source_id: 'order' };
  for (const wallet_type_code of ['points', 'stamps'])
    await asCaller(() =>
      ledger.rpc.EarnPoints({
        workspace_id,
        client_id,
        amount: half,
        wallet_type_code,
        ...purchase,
      }),
    );
  const sales = { workspace_id, client_id, event_ids: ['order'], names: ['order'], shared: [] };
  const whole = { ...sales, refunded: AMOUNT_MAX, paid: 2 * AMOUNT_MAX };
  const { taken } = await asCaller(() => other.rpc.QuoteRefund(whole));
  expect(taken.map(({ amount }) => amount)).toEqual([-half / 2, -half / 2]);
  const all = { workspace_id, source_id: 'order', ratio: 1 };
  const refunded = { refunded_points: 2 * half, shortfall: 0 };
  expect(await asCaller(() => other.rpc.QuotePurchaseRefund(all))).toMatchObject(refunded);
  expect(await asCaller(() => other.rpc.RefundPurchase(all))).toMatchObject(refunded);
});

describe('a refund whose process died once it was written down', () => {
  const MINUTE_MS = 60_000;
  const later = () =>
    ledger.replica({ now: (workspaceId) => workspaceClock.now(workspaceId).getTime() + MINUTE_MS });
  /** A wallet type that cannot be read is where it ends. */
  const without = (workspaceId: string, deps = ledger.deps): typeof deps => {
    const find: typeof deps.walletTypes.find = (asked, id) =>
      asked === workspaceId
        ? Promise.reject(new Error('a document that cannot be read'))
        : deps.walletTypes.find(asked, id);
    return { ...deps, walletTypes: { ...deps.walletTypes, find } };
  };
  async function cutShort(workspaceId: string): Promise<string> {
    const client = newId();
    await earnFor(workspaceId, client);
    const request = { workspace_id: workspaceId, source_id: 'order', ratio: 0.5 };
    const refund = runInContext(systemContext({ workspaceId, operationId: newId() }), () =>
      refundPurchase(without(workspaceId), request),
    );
    await expect(refund).rejects.toThrow('cannot be read');
    return client;
  }

  test('is finished though another one cannot be, and the round rejects with that one', async () => {
    const [broken, sound] = [await testWorkspace(ledger), await testWorkspace(ledger)];
    const [waiting, client] = [await cutShort(broken), await cutShort(sound)];
    const { deps } = await later();
    const unfinished: typeof deps.refunds.unfinished = async (limit) =>
      (await deps.refunds.unfinished(limit)).sort((one) => (one.workspace_id === broken ? -1 : 1));
    const faulty = { ...without(broken, deps), refunds: { ...deps.refunds, unfinished } };
    await expect(finishRefunds(faulty)).rejects.toThrow('1 of 2');
    expect(await balanceOf(sound, client)).toBe(50);
    expect(await balanceOf(broken, waiting)).toBe(100);
    await finishRefunds(deps);
    expect(await balanceOf(broken, waiting)).toBe(50);
  });

  test('is finished in a sandbox, too, however far its clock is ahead', async () => {
    const workspaceId = await testWorkspace(ledger);
    noteSandbox(workspaceId, 365 * 24 * 60 * MINUTE_MS);
    try {
      const client = await cutShort(workspaceId);
      await finishRefunds((await later()).deps);
      expect(await balanceOf(workspaceId, client)).toBe(50);
    } finally {
      forgetSandbox(workspaceId);
    }
  });
});
