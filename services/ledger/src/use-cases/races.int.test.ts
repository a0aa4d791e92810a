import { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { ledger as messages } from '@laurel/rpc';
import fc from 'fast-check';
import type { EntryDocument } from '../store/documents';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { type ReferenceRules, ReferenceWallet } from '../testing/reference';

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

const replicaOf = (index: number): TestLedger => (index % 2 === 0 ? ledger : other);

async function walletOf(workspace_id: string, client_id: string): Promise<messages.Wallet> {
  const { wallets } = await ledger.rpc.GetBalances({ workspace_id, client_id });
  return wallets[0]!.wallet!;
}

async function verified(workspace_id: string): Promise<void> {
  expect(await ledger.rpc.VerifyLedger({ workspace_id })).toMatchObject({ problems: [] });
}

describe('two processes on one ledger', () => {
  test('200 spends of 10 on 1000 over both: exactly 100 succeed, no sequence is skipped or doubled', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 1_000 }));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        asCaller(() => replicaOf(index).rpc.SpendPoints({ workspace_id, client_id, amount: 10 })),
      ),
    );
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.filter((reason) => !(reason instanceof Refusal))).toEqual([]);
    expect(refused.map((reason: Refusal) => reason.code)).toEqual(
      Array.from({ length: 100 }, () => 'INVALID_PAYLOAD'),
    );
    const { id } = await walletOf(workspace_id, client_id);
    const entries = await ledger.deps.entries.tail(workspace_id, id, 0);
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 101 }, (_, index) => index + 1),
    );
    await verified(workspace_id);
  });

  test('a no rests on the log itself: what one process earned the other can spend at once', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    const request = { workspace_id, client_id, amount: 5 };
    const spend = () => asCaller(() => ledger.rpc.SpendPoints(request));
    await asCaller(() => ledger.rpc.EarnPoints(request));
    await spend();
    for (let round = 0; round < 5; round += 1) {
      // This process remembers a balance of 0; only the log knows better.
      await asCaller(() => other.rpc.EarnPoints(request));
      await spend();
    }
    await expect(spend()).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    expect(await walletOf(workspace_id, client_id)).toMatchObject({
      active_balance: 0,
      total_spent: 30,
    });
  });

  test('one operation sent to both at once takes effect once', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    const operation_id = `redemption:${newId()}`;
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 10 }));
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        asCaller(() =>
          replicaOf(index).rpc.SpendPoints({ workspace_id, client_id, amount: 10, operation_id }),
        ),
      ),
    );
    expect(new Set(replies.map(({ entry }) => entry!.id)).size).toBe(1);
    expect((await walletOf(workspace_id, client_id)).active_balance).toBe(0);
  });

  test('transfers to and fro between two clients neither deadlock nor make points', async () => {
    const workspace_id = await testWorkspace(ledger);
    const clients = [newId(), newId()];
    for (const client_id of clients)
      await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 50 }));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        asCaller(() =>
          replicaOf(index >> 1).rpc.TransferPoints({
            workspace_id,
            from_client_id: clients[index % 2]!,
            to_client_id: clients[(index + 1) % 2]!,
            amount: 7,
          }),
        ),
      ),
    );
    const faults = outcomes.flatMap((one) =>
      one.status === 'rejected' && !(one.reason instanceof Refusal) ? [one.reason] : [],
    );
    expect(faults).toEqual([]);
    const [a, b] = await Promise.all(clients.map((client) => walletOf(workspace_id, client)));
    expect(a!.active_balance + b!.active_balance).toBe(100);
    await verified(workspace_id);
  });

  test('20 transfers of 10 to a wallet capped at 100: exactly 10 fit', async () => {
    const workspace_id = await testWorkspace(ledger, { max_balance: 100 });
    const to_client_id = newId();
    const givers = Array.from({ length: 20 }, newId);
    await Promise.all(
      givers.map((client_id) =>
        asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 10 })),
      ),
    );
    const outcomes = await Promise.allSettled(
      givers.map((from_client_id, index) =>
        asCaller(() =>
          replicaOf(index).rpc.TransferPoints({
            workspace_id,
            from_client_id,
            to_client_id,
            amount: 10,
          }),
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await walletOf(workspace_id, to_client_id)).active_balance).toBe(100);
  });

  test('a merge under fire loses nothing: what is not refused ends with the target', async () => {
    const workspace_id = await testWorkspace(ledger);
    const [source_client_id, target_client_id] = [newId(), newId()];
    const earn = (client_id: string, index: number) =>
      asCaller(() => replicaOf(index).rpc.EarnPoints({ workspace_id, client_id, amount: 1 }));
    await earn(source_client_id, 0);
    const merge = () =>
      asCaller(() =>
        other.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id }),
      );
    const [outcomes] = await Promise.all([
      Promise.allSettled(
        Array.from({ length: 60 }, (_, index) =>
          earn(index % 3 === 0 ? target_client_id : source_client_id, index),
        ),
      ),
      merge(),
    ]);
    const earned = outcomes.filter(({ status }) => status === 'fulfilled').length + 1;
    expect(await walletOf(workspace_id, source_client_id)).toMatchObject({ active_balance: 0 });
    expect(await walletOf(workspace_id, target_client_id)).toMatchObject({
      active_balance: earned,
      total_earned: earned,
    });
    await verified(workspace_id);
  });
});

type Command =
  | { client: number; do: 'earn'; amount: number; pending: boolean }
  | { client: number; do: 'spend' | 'adjust' | 'lock' | 'transfer'; amount: number }
  | { client: number; do: 'release' | 'capture' | 'cancel'; pick: number };
const CLIENTS = 3;
const client = fc.nat(CLIENTS - 1);
const amount = fc.integer({ min: 1, max: 40 });
const pick = fc.nat(30);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ client, do: fc.constant('earn' as const), amount, pending: fc.boolean() }),
  fc.record({
    client,
    do: fc.constantFrom('spend' as const, 'adjust' as const, 'lock' as const, 'transfer' as const),
    amount,
  }),
  fc.record({
    client,
    do: fc.constantFrom('release' as const, 'capture' as const, 'cancel' as const),
    pick,
  }),
);

/** Sends one command to one of the processes, about an entry that some earlier one wrote where it needs one. */
async function send(
  { workspaceId, clients, written }: { workspaceId: string; clients: string[]; written: EntryIds },
  one: Command,
  index: number,
): Promise<void> {
  const { rpc } = replicaOf(index);
  const base = { workspace_id: workspaceId, client_id: clients[one.client]! };
  const choose = (from: string[], at: number): string | undefined => from[at % (from.length || 1)];
  let reply: messages.EntryReply | undefined;
  if (one.do === 'earn') {
    const pending_days = one.pending ? 1 : 0;
    reply = await rpc.EarnPoints({ ...base, amount: one.amount, pending_days });
  } else if (one.do === 'spend') reply = await rpc.SpendPoints({ ...base, amount: one.amount });
  else if (one.do === 'adjust')
    reply = await rpc.AdjustPoints({
      ...base,
      amount: index % 2 === 0 ? one.amount : -one.amount,
      description: 'by hand',
    });
  else if (one.do === 'lock') {
    reply = await rpc.LockPoints({ ...base, amount: one.amount });
    written.locks.push(reply.entry!.id);
  } else if (one.do === 'transfer') {
    const to_client_id = clients[(one.client + 1) % CLIENTS]!;
    const from_client_id = base.client_id;
    const request = { workspace_id: workspaceId, from_client_id, to_client_id };
    await rpc.TransferPoints({ ...request, amount: one.amount });
  } else if (one.do === 'cancel') {
    const entry_id = choose(written.all, one.pick);
    if (entry_id !== undefined)
      reply = await rpc.CancelEntry({ workspace_id: workspaceId, entry_id, reason: 'test' });
  } else if (one.do === 'release' || one.do === 'capture') {
    const entry_id = choose(written.locks, one.pick);
    if (entry_id === undefined) return;
    const request = { workspace_id: workspaceId, entry_id };
    reply = await (one.do === 'release' ? rpc.ReleaseLock(request) : rpc.CaptureLock(request));
  }
  if (reply?.entry) written.all.push(reply.entry.id);
}

interface EntryIds {
  all: string[];
  locks: string[];
}

/** Replays a wallet's log through the reference and compares every balance that was ever told. */
function replay(
  log: readonly EntryDocument[],
  byId: Map<string, EntryDocument>,
  rules: ReferenceRules,
): void {
  const reference = new ReferenceWallet();
  for (const entry of log) {
    apply(reference, entry, byId, rules);
    const { active, pending, locked, earned, spent, expired } = entry.after;
    expect({ active, pending, locked, earned, spent, expired }).toEqual({
      active: reference.active,
      pending: reference.pending,
      locked: reference.locked,
      earned: reference.earned,
      spent: reference.spent,
      expired: reference.expired,
    });
  }
}

function apply(
  reference: ReferenceWallet,
  entry: EntryDocument,
  byId: Map<string, EntryDocument>,
  rules: ReferenceRules,
): void {
  const { _id: id, type, amount: units, sequence, caps, source_id, source_type } = entry;
  if (type === 'earn' || (type === 'adjust' && units > 0)) {
    const ripe = entry.lots[0]?.matures_at ?? null;
    expect(reference.earn(id, sequence, caps!.requested, rules, ripe, null)).toBe(units);
  } else if (source_type === 'capture')
    expect(reference.capture(source_id!, id, undefined)).toBe(true);
  else if (type === 'spend' || type === 'adjust')
    expect(reference.spend(id, -units, rules.mayOwe)).toBe(true);
  else if (type === 'lock') expect(reference.lock(id, -units, Infinity)).toBe(true);
  else if (type === 'unlock') expect(reference.release(source_id!)).toBe(true);
  else if (type === 'cancel')
    expect(reference.cancel(source_id!, { key: id, rank: sequence })).toBe(units);
  else if (type === 'transfer_out') expect(reference.give(-units)).not.toBeNull();
  else {
    const pieces = byId.get(entry.counterpart!.entry_id)!.consumed.map((part) => ({
      key: part.id,
      amount: part.amount,
      end: null,
      rank: sequence,
    }));
    const keyOf = (index: number) => `${id}.${String(index).padStart(4, '0')}`;
    expect(reference.receive(pieces, keyOf, sequence, rules.cap)).toBe(true);
  }
}

test('whatever is sent to two processes at once, the log replays through the reference to every balance told', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ cap: fc.option(fc.integer({ min: 50, max: 200 })), mayOwe: fc.boolean() }),
      fc.array(command, { minLength: 20, maxLength: 100, size: 'max' }),
      async ({ cap, mayOwe }, commands) => {
        const workspaceId = await testWorkspace(ledger, {
          max_balance: cap,
          allow_negative_balance: mayOwe,
        });
        const clients = Array.from({ length: CLIENTS }, newId);
        const world = { workspaceId, clients, written: { all: [], locks: [] } };
        const queue = [...commands.entries()];
        await Promise.all(
          Array.from({ length: 12 }, async () => {
            for (let next = queue.shift(); next; next = queue.shift()) {
              const [index, one] = next;
              await asCaller(() => send(world, one, index)).catch((error: unknown) => {
                if (!(error instanceof Refusal)) throw error;
              });
            }
          }),
        );
        const entries = await ledger.deps.entries.collection
          .find({ workspace_id: workspaceId })
          .sort({ sequence: 1 })
          .toArray();
        const byId = new Map(entries.map((entry) => [entry._id, entry]));
        const rules = { cap: cap === null ? null : cap * 10_000, mayOwe };
        for (const walletId of new Set(entries.map((entry) => entry.wallet_id)))
          replay(
            entries.filter((entry) => entry.wallet_id === walletId),
            byId,
            rules,
          );
        await verified(workspaceId);
      },
    ),
    { numRuns: 15 },
  );
}, 120_000);
