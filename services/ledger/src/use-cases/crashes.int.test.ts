import { listenerFor } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { ledger as messages } from '@laurel/rpc';
import { atEveryCall, type Death, mortal } from '@laurel/testing';
import { consumers } from '../consumers';
import { toEvent } from '../store/entry-event';
import { createRelaySource } from '../store/relay-source';
import { asCaller, logOf, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { carryOut, refundPurchase } from './refund-purchase';

const EVERY_WALLET = { after: '', through: null };

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

/** What stands before a command is cut short, the command, and what must stand once it has been repeated. */
interface Scenario {
  name: string;
  prepare: (workspaceId: string, clients: string[]) => Promise<string>;
  command: (
    on: TestLedger,
    workspaceId: string,
    clients: string[],
    prepared: string,
  ) => Promise<unknown>;
  /** Active, pending and locked balance and totals per client. */
  expected: Partial<messages.Wallet>[];
}

const act = (workspaceId: string) => {
  const { rpc } = ledger;
  return {
    earn: (client_id: string, amount: number, more: object = {}) =>
      asCaller(() => rpc.EarnPoints({ workspace_id: workspaceId, client_id, amount, ...more })),
    lock: (client_id: string, amount: number) =>
      asCaller(() => rpc.LockPoints({ workspace_id: workspaceId, client_id, amount })),
    spend: (client_id: string, amount: number) =>
      asCaller(() => rpc.SpendPoints({ workspace_id: workspaceId, client_id, amount })),
  };
};

const ORDER = { source_type: 'transaction', source_id: 'order-1' };

/** A rule gives for the order, once. */
const giveByRule = (workspace_id: string, client_id: string) =>
  runInContext(systemContext({ operationId: `a rule of ${workspace_id}`, chain: ['a rule'] }), () =>
    ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 10, ...ORDER }),
  );

const scenarios: Scenario[] = [
  {
    name: 'earn',
    prepare: async () => '',
    command: (on, workspace_id, [client_id]) =>
      on.rpc.EarnPoints({ workspace_id, client_id: client_id!, amount: 10 }),
    expected: [{ active_balance: 10, total_earned: 10 }],
  },
  {
    name: 'spend',
    prepare: async (workspaceId, [client]) => {
      await act(workspaceId).earn(client!, 100);
      return '';
    },
    command: (on, workspace_id, [client_id]) =>
      on.rpc.SpendPoints({ workspace_id, client_id: client_id!, amount: 100 }),
    expected: [{ active_balance: 0, total_earned: 100, total_spent: 100 }],
  },
  {
    name: 'lock and capture of a part',
    prepare: async (workspaceId, [client]) => {
      await act(workspaceId).earn(client!, 100);
      return (await act(workspaceId).lock(client!, 60)).entry!.id;
    },
    command: (on, workspace_id, _clients, entry_id) =>
      on.rpc.CaptureLock({ workspace_id, entry_id, amount: 25 }),
    expected: [{ active_balance: 75, locked_balance: 0, total_spent: 25 }],
  },
  {
    name: 'cancel of a spend',
    prepare: async (workspaceId, [client]) => {
      await act(workspaceId).earn(client!, 100);
      return (await act(workspaceId).spend(client!, 60)).entry!.id;
    },
    command: (on, workspace_id, _clients, entry_id) =>
      on.rpc.CancelEntry({ workspace_id, entry_id, reason: 'returned' }),
    expected: [{ active_balance: 100, total_spent: 0 }],
  },
  {
    name: 'transfer',
    prepare: async (workspaceId, [client]) => {
      await act(workspaceId).earn(client!, 100);
      return '';
    },
    command: (on, workspace_id, [from, to]) =>
      on.rpc.TransferPoints({
        workspace_id,
        from_client_id: from!,
        to_client_id: to!,
        amount: 100,
      }),
    expected: [{ active_balance: 0 }, { active_balance: 100 }],
  },
  {
    name: 'merge',
    prepare: async (workspaceId, [source, target]) => {
      await act(workspaceId).earn(source!, 100);
      await act(workspaceId).lock(source!, 30);
      await act(workspaceId).earn(target!, 5);
      return '';
    },
    command: (on, workspace_id, [source, target]) =>
      on.rpc.MergeClientWallets({
        workspace_id,
        source_client_id: source!,
        target_client_id: target!,
      }),
    expected: [
      { active_balance: 0, locked_balance: 0, total_earned: 0 },
      { active_balance: 75, locked_balance: 30, total_earned: 105 },
    ],
  },
  {
    name: 'refund of a purchase with two earns',
    prepare: async (workspaceId, [client]) => {
      await act(workspaceId).earn(client!, 100, ORDER);
      await act(workspaceId).earn(client!, 50, ORDER);
      return '';
    },
    command: (on, workspace_id) =>
      on.rpc.RefundPurchase({ workspace_id, source_id: ORDER.source_id, ratio: 0.5 }),
    expected: [{ active_balance: 75, total_earned: 75 }],
  },
  {
    name: 'refund of a purchase for which a rule gives meanwhile',
    prepare: async (workspaceId, [client]) => {
      await act(workspaceId).earn(client!, 100, ORDER);
      return '';
    },
    command: (on, workspace_id, [client]) => {
      const { refunds } = on.deps;
      const add: typeof refunds.add = async (...row) => {
        await giveByRule(workspace_id, client!);
        return refunds.add(...row);
      };
      const beside = { ...on.deps, refunds: { ...refunds, add } };
      return refundPurchase(beside, { workspace_id, source_id: ORDER.source_id, ratio: 0.5 });
    },
    expected: [{ active_balance: 55, total_earned: 55 }],
  },
  {
    name: 'share of a late earn in a refund that fell short',
    prepare: async (workspaceId, [client]) => {
      const { earn, spend } = act(workspaceId);
      await earn(client!, 100, ORDER);
      await spend(client!, 100);
      const half = { workspace_id: workspaceId, source_id: ORDER.source_id, ratio: 0.5 };
      await asCaller(() => ledger.rpc.RefundPurchase(half));
      await earn(client!, 60);
      return (await giveByRule(workspaceId, client!)).entry!.id;
    },
    command: async (on, workspaceId, _clients, entryId) => {
      const event = toEvent((await ledger.deps.entries.find(workspaceId, entryId))!);
      const spec = consumers(on.deps).find(({ queue }) => queue === 'ledger.late-earns')!;
      return listenerFor(spec, event.type)!(event, async () => undefined);
    },
    // Nothing makes good what the refund could not take.
    expected: [{ active_balance: 65 }],
  },
  {
    name: 'closing the wallets of a deleted client',
    prepare: async (workspaceId, [client]) => {
      await act(workspaceId).earn(client!, 100);
      await act(workspaceId).earn(client!, 20, { pending_days: 3 });
      await act(workspaceId).lock(client!, 40);
      return '';
    },
    command: (on, workspace_id, [client_id]) =>
      on.rpc.CloseClientWallets({ workspace_id, client_id: client_id! }),
    expected: [{ active_balance: 0, pending_balance: 0, locked_balance: 0 }],
  },
];

/** What any replica does by itself after another one died: relay and mark, settle, finish refunds. */
async function recover(replica: TestLedger): Promise<void> {
  const source = createRelaySource(replica.deps);
  for (;;) {
    const claimed = await source.claim(500, 20_000);
    if (claimed === 'not ours' || claimed.length === 0) break;
    await source.markPublished(claimed.map(({ key }) => key));
  }
  for (const purchase of await replica.deps.refunds.unfinished(50))
    for (const refund of purchase.refunds)
      if (!refund.done) await carryOut(replica.deps, purchase, refund);
}

/** Snapshots must stand where the log does, to the last unit, and so must the markers on its entries. */
async function derivedMatches(workspaceId: string): Promise<void> {
  const wallets = await ledger.deps.wallets.collection
    .find({ workspace_id: workspaceId })
    .toArray();
  for (const wallet of wallets) {
    const log = await logOf(ledger, workspaceId, wallet._id);
    expect(wallet).toMatchObject({ sequence: log.length, hash: log.at(-1)!.hash });
    expect(wallet.figures).toEqual(log.at(-1)!.after);
    const marks = log.flatMap((entry) => entry.marks);
    const expected = new Map(marks.map(({ entry_id, status }) => [entry_id, status]));
    for (const { _id, status, first_status } of log)
      expect({ _id, status }).toEqual({ _id, status: expected.get(_id) ?? first_status });
  }
}

/** One run with a death; returns whether everything got through before it. */
async function runWithDeath(scenario: Scenario, death: Death): Promise<boolean> {
  const workspaceId = await testWorkspace(ledger);
  const clients = [newId(), newId()];
  const prepared = await scenario.prepare(workspaceId, clients);
  await ledger.deps.log.drained();
  const operation = newId();
  const dying = mortal(ledger.connection, death);
  const replica = await ledger.replica({ connection: dying.connection });
  dying.arm();
  const outcome = await Promise.race([
    asCaller(() => scenario.command(replica, workspaceId, clients, prepared), operation).then(
      () => 'through' as const,
    ),
    dying.died,
  ]);
  if (outcome === 'through') await Promise.race([replica.deps.log.drained(), dying.died]);

  const heir = await ledger.replica();
  await recover(heir);
  await heir.deps.log.drained();
  expect(await heir.rpc.VerifyLedger({ workspace_id: workspaceId })).toMatchObject({
    problems: [],
  });
  await asCaller(() => scenario.command(heir, workspaceId, clients, prepared), operation);
  await recover(heir);
  await heir.deps.log.drained();
  for (const [at, expected] of scenario.expected.entries()) {
    const request = { workspace_id: workspaceId, client_id: clients[at]! };
    const { wallets } = await heir.rpc.GetBalances(request);
    expect(wallets[0]!.wallet).toMatchObject(expected);
  }
  expect(await heir.rpc.VerifyLedger({ workspace_id: workspaceId })).toMatchObject({
    problems: [],
  });
  await derivedMatches(workspaceId);
  expect(await heir.deps.entries.unrelayedWithin({ workspaceId }, EVERY_WALLET)).toEqual([]);
  return !dying.isDead();
}

describe.each(scenarios)('$name, killed at every call to the store', (scenario) => {
  test.each(['before', 'after'] as const)(
    '%s the call: it happens once or not at all, and its repeat completes it',
    async (when) => {
      const calls = await atEveryCall(when, (death) => runWithDeath(scenario, death));
      expect(calls).toBeGreaterThan(0);
    },
    600_000,
  );
});
