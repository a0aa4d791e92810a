import { createEvent, listenerFor, type TransactionRecorded } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { testClock } from '@laurel/testing';
import { consumers } from '../consumers';
import { spend } from '../domain/spend';
import {
  asCaller,
  logOf,
  settleDue,
  type TestLedger,
  testLedger,
  testWorkspace,
} from '../testing/ledger';
import { NOTE, points, RULES } from '../testing/wallets';
import { reverse } from './cancel-entry';
import { walletRef } from './resolve-wallet';

const DAY = 86_400_000;

let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
let other: TestLedger;
let workspace_id: string;
beforeEach(async () => {
  clock = testClock();
  ledger = await testLedger({ now: () => clock.now().getTime() });
  other = await ledger.replica();
  workspace_id = await testWorkspace(ledger);
});
afterEach(async () => {
  await other.deps.log.drained();
  await ledger.drop();
});

const earn = (client_id: string, amount: number, more: object = {}) =>
  asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount, ...more }));
async function walletOf(client_id: string) {
  const { wallets } = await ledger.rpc.GetBalances({ workspace_id, client_id });
  return wallets[0]!.wallet!;
}
async function typesOf(client_id: string): Promise<string[]> {
  const { id } = await walletOf(client_id);
  return (await logOf(ledger, workspace_id, id)).map(({ type }) => type);
}
const settleOnBoth = async () => {
  await Promise.all([settleDue(ledger.deps), settleDue(other.deps)]);
};
/** Hands an event to the consumer that is bound to it, as the broker does. */
async function deliver(event: ReturnType<typeof createEvent>): Promise<void> {
  const [listener] = consumers(ledger.deps).flatMap((spec) => listenerFor(spec, event.type) ?? []);
  await listener!(event, async () => undefined);
}

describe('what is due happens once, however many replicas see to it', () => {
  test('pending points mature, then expire; holds are released; downtime is caught up with', async () => {
    const client = newId();
    await earn(client, 100, { pending_days: 1, expiry_days: 2 });
    await earn(client, 10);
    await asCaller(() =>
      ledger.rpc.LockPoints({ workspace_id, client_id: client, amount: 5, expires_in_seconds: 60 }),
    );
    await ledger.deps.log.drained();
    await settleOnBoth();
    expect(await walletOf(client)).toMatchObject({ active_balance: 5, pending_balance: 100 });

    clock.advanceMs(60_000);
    await settleOnBoth();
    expect(await walletOf(client)).toMatchObject({ active_balance: 10, locked_balance: 0 });
    clock.advanceMs(10 * DAY);
    await settleOnBoth();
    expect(await walletOf(client)).toMatchObject({
      active_balance: 10,
      pending_balance: 0,
      total_earned: 110,
      total_expired: 100,
    });
    expect(await typesOf(client)).toEqual(['earn', 'earn', 'lock', 'unlock', 'unlock', 'expire']);
    expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  });

  test('what goes back to points that have ended is gone before what comes in the same moment', async () => {
    const client = newId();
    const ended = await earn(client, 100, { expiry_days: 1 });
    const amount = points(100);
    const spent = await asCaller(() =>
      ledger.rpc.SpendPoints({ workspace_id, client_id: client, amount: 100 }),
    );
    const { deps } = ledger;
    const entry = (await deps.entries.find(workspace_id, spent.entry!.id))!;
    const [type] = await deps.walletTypes.list(workspace_id);
    const wallet = walletRef(workspace_id, client, type!);
    clock.advanceMs(2 * DAY);
    // Both are in the queue of the wallet before it is looked at, so that one flight takes them.
    const [cancelled, again] = await Promise.allSettled([
      reverse(deps, { wallet, entry, note: NOTE, operationId: newId() }),
      deps.log.perform({
        wallet,
        operationId: newId(),
        decide: (state) => spend({ wallet: state, rules: RULES }, { ...NOTE, amount }),
      }),
    ]);
    expect([cancelled.status, again.status]).toEqual(['fulfilled', 'rejected']);
    await deps.log.drained();
    await settleOnBoth();
    expect(await walletOf(client)).toMatchObject({ active_balance: 0, total_expired: 100 });
    const shown = await ledger.rpc.GetEntry({ workspace_id, id: ended.entry!.id });
    expect(shown.status).toBe('expired');
  });

  test('the status of the entries follows', async () => {
    const client = newId();
    const { entry } = await earn(client, 100, { pending_days: 1, expiry_days: 2 });
    const status = async () => (await ledger.rpc.GetEntry({ workspace_id, id: entry!.id })).status;
    expect(await status()).toBe('pending');
    clock.advanceMs(DAY);
    await ledger.deps.log.drained();
    await settleOnBoth();
    expect(await status()).toBe('active');
    clock.advanceMs(2 * DAY);
    await Promise.all([ledger.deps.log.drained(), other.deps.log.drained()]);
    await settleOnBoth();
    expect(await status()).toBe('expired');
  });

  test('no operation sees points that should be gone, even when no job has run', async () => {
    const client = newId();
    await earn(client, 100, { expiry_days: 1 });
    clock.advanceMs(DAY);
    await expect(
      asCaller(() => other.rpc.SpendPoints({ workspace_id, client_id: client, amount: 1 })),
    ).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  });
});

describe('what others tell', () => {
  test('a deleted client: balances are closed, words erased, also when it is heard of twice', async () => {
    const client = newId();
    await earn(client, 100, { description: 'for Ada' });
    const event = createEvent('clients.deleted', {
      workspaceId: workspace_id,
      subject: client,
      data: { client_id: client, external_identities: [] },
    });
    await deliver(event);
    await deliver(event);
    expect(await walletOf(client)).toMatchObject({ active_balance: 0 });
    expect(await typesOf(client)).toEqual(['earn', 'adjust']);
    const [first] = await logOf(ledger, workspace_id, (await walletOf(client)).id);
    expect(first!.note).toBeNull();
    await expect(earn(client, 1)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  });

  test('a merge: what came to the source after its wallets were moved follows', async () => {
    const [source, target] = [newId(), newId()];
    await earn(target, 1);
    const event = createEvent('clients.merged', {
      workspaceId: workspace_id,
      subject: target,
      data: { source_client_id: source, target_client_id: target },
    });
    await ledger.rpc.MergeClientWallets({
      workspace_id,
      source_client_id: source,
      target_client_id: target,
    });
    await earn(source, 10);
    await deliver(event);
    await deliver(event);
    expect(await walletOf(target)).toMatchObject({ active_balance: 11, total_earned: 11 });
  });

  test('after a merge locks, cancels and refunds find what they refer to at the target', async () => {
    const [source, target] = [newId(), newId()];
    for (let time = 0; time < 5; time += 1) await earn(source, 1);
    await asCaller(() => ledger.rpc.SpendPoints({ workspace_id, client_id: source, amount: 5 }));
    await earn(source, 100, { source_type: 'transaction', source_id: 'order' });
    const spend = { workspace_id, client_id: source, amount: 40, operation_id: 'redemption:1' };
    await asCaller(() => ledger.rpc.SpendPoints(spend));
    const lock = await asCaller(() =>
      ledger.rpc.LockPoints({ workspace_id, client_id: source, amount: 10 }),
    );
    await ledger.rpc.MergeClientWallets({
      workspace_id,
      source_client_id: source,
      target_client_id: target,
    });
    await asCaller(() => other.rpc.ReleaseLock({ workspace_id, entry_id: lock.entry!.id }));
    const refund = { workspace_id, spend_operation_id: 'redemption:1' };
    const first = await asCaller(() => other.rpc.RefundSpend(refund));
    const second = await asCaller(() => ledger.rpc.RefundSpend(refund));
    expect(second).toMatchObject({ entry: { id: first.entry!.id, amount: 40 }, replayed: true });
    await asCaller(() =>
      ledger.rpc.RefundPurchase({ workspace_id, source_id: 'order', ratio: 0.25 }),
    );
    const shown = await ledger.rpc.GetEntry({ workspace_id, id: lock.entry!.id });
    expect(shown.status).toBe('cancelled');
    expect(await walletOf(target)).toMatchObject({
      active_balance: 75,
      locked_balance: 0,
      total_earned: 80,
      total_spent: 5,
    });
    expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  });

  describe('a refund event', () => {
    const refundOf = (
      client: string,
      amount: number,
      refunded_sales?: TransactionRecorded['refunded_sales'],
    ) => {
      const id = newId();
      return createEvent('transaction.refund', {
        workspaceId: workspace_id,
        subject: client,
        id,
        data: {
          id,
          workspace_id,
          pass_id: null,
          client_id: client,
          event_category: 'transaction',
          event_type: 'refund',
          event_timestamp: new Date().toISOString(),
          source: 'api',
          external_id: null,
          metadata: {},
          amount,
          currency: 'EUR',
          field_name: null,
          old_value: null,
          new_value: null,
          client_metrics: null,
          ...(refunded_sales ? { refunded_sales } : {}),
        },
      });
    };
    const earnFor = (client: string, amount: number, source_id: string) =>
      earn(client, amount, { source_type: 'transaction', source_id });

    test('takes back what its sale earned, in proportion, once', async () => {
      const client = newId();
      const sale = { event_ids: [newId()], names: ['receipt-1'], amount: 80 };
      await earnFor(client, 100, 'receipt-1');
      const refund = refundOf(client, 20, sale);
      await deliver(refund);
      await deliver(refund);
      expect((await walletOf(client)).active_balance).toBe(75);
      await deliver(refundOf(client, 60, sale));
      expect((await walletOf(client)).active_balance).toBe(0);
    });

    test('takes nothing from others whose sale has the same number', async () => {
      const [one, two] = [newId(), newId()];
      await earnFor(one, 80, '1001');
      await earnFor(two, 20, '1001');
      await deliver(refundOf(two, 20, { event_ids: [newId()], names: ['1001'], amount: 20 }));
      expect((await walletOf(one)).active_balance).toBe(80);
      expect((await walletOf(two)).active_balance).toBe(0);
    });

    test('of a split payment takes the share of all its parts', async () => {
      const client = newId();
      const [cash, card] = [newId(), newId()];
      await earnFor(client, 100, cash);
      await earnFor(client, 50, card);
      const sales = { event_ids: [cash, card], names: [cash, card, 'order-7'], amount: 150 };
      await deliver(refundOf(client, 50, sales));
      expect((await walletOf(client)).active_balance).toBe(100);
    });

    test('of two sales leaves what one of them gave back before to the other', async () => {
      const client = newId();
      const [first, second] = [newId(), newId()];
      await earnFor(client, 10, first);
      await deliver(refundOf(client, 4, { event_ids: [first], names: [first], amount: 10 }));
      await earnFor(client, 20, second);
      const both = { event_ids: [first, second], names: [first, second], amount: 30 };
      await deliver(refundOf(client, 5, both));
      expect((await walletOf(client)).active_balance).toBe(21);
      await deliver(refundOf(client, 21, both));
      expect((await walletOf(client)).active_balance).toBe(0);
    });

    test('follows the points of a merged client, and takes nothing where no sale was found', async () => {
      const [source_client_id, target] = [newId(), newId()];
      await earnFor(source_client_id, 10, 'r');
      await ledger.rpc.MergeClientWallets({
        workspace_id,
        source_client_id,
        target_client_id: target,
      });
      await deliver(refundOf(target, 5));
      expect((await walletOf(target)).active_balance).toBe(10);
      await deliver(refundOf(target, 5, { event_ids: [newId()], names: ['r'], amount: 10 }));
      expect((await walletOf(target)).active_balance).toBe(5);
    });
  });

  test('a deleted workspace leaves nothing behind', async () => {
    await earn(newId(), 1);
    await ledger.deps.log.drained();
    await deliver(
      createEvent('identity.workspace_deleted', {
        workspaceId: workspace_id,
        subject: workspace_id,
        data: { workspace_id },
      }),
    );
    for (const { name } of await ledger.connection.db!.listCollections().toArray()) {
      if (['outbox', 'signing_keys'].includes(name)) continue;
      const left = await ledger.connection.collection(name).countDocuments({ workspace_id });
      expect({ name, left }).toEqual({ name, left: 0 });
    }
  });
});

test('thousands of lots survive a restart, with their order', async () => {
  const client = newId();
  const operations = Array.from({ length: 400 }, () => ({
    earn: { workspace_id, client_id: client, amount: 1 },
  }));
  for (let round = 0; round < 3; round += 1)
    await asCaller(() => ledger.rpc.BatchPoints({ workspace_id, operations }));
  await asCaller(() => ledger.rpc.SpendPoints({ workspace_id, client_id: client, amount: 700 }));
  await ledger.deps.log.drained();
  const restarted = await ledger.replica();
  const spend = { workspace_id, client_id: client, amount: 500 };
  const { entry } = await asCaller(() => restarted.rpc.SpendPoints(spend));
  expect(entry).toMatchObject({ balance_after: 0, sequence: 1_202 });
  expect((await restarted.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
});
