import { newId } from '@laurel/lifecycle';
import { testClock } from '@laurel/testing';
import type { WalletDocument } from '../store/documents';
import { asCaller, settleDue, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { settling } from './settle-due-wallets';

const DAY = 86_400_000;

let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
beforeEach(async () => {
  clock = testClock();
  ledger = await testLedger({ now: () => clock.now().getTime() });
});
afterEach(() => ledger.drop());

/** Points of so many clients of a workspace that are pending for a day. */
async function pending(workspace_id: string, clients: number): Promise<string[]> {
  const ids = Array.from({ length: clients }, newId);
  await asCaller(() =>
    ledger.rpc.BatchPoints({
      workspace_id,
      operations: ids.map((client_id) => ({
        earn: { workspace_id, client_id, amount: 1, pending_days: 1 },
      })),
    }),
  );
  await ledger.deps.log.drained();
  return ids;
}
const walletOf = async (client_id: string): Promise<WalletDocument> =>
  (await ledger.deps.wallets.collection.findOne({ client_id }))!;
/** What a process takes up at its first look. */
function take() {
  const { due, concurrency: count, share, leaseMs } = settling(ledger.deps);
  return due.claim({ count, share, inHand: new Map() }, { now: clock.now(), leaseMs });
}

test('what matures in one workspace by the hundred keeps the one wallet of another waiting for nothing', async () => {
  const workspaces = [await testWorkspace(ledger), await testWorkspace(ledger)].toSorted();
  const [large, small] = workspaces as [string, string];
  await pending(large, 500);
  clock.advanceMs(1_000);
  const [other] = await pending(small, 1);
  clock.advanceMs(DAY);
  const taken = await take();
  const whose = taken.filter(({ turn }) => turn === small);
  expect(whose.map(({ row }) => row.ref.clientId)).toEqual([other]);
  expect(taken.length).toBeGreaterThan(100);
});

test('what several processes find due is settled once, each by one of them, and due again when something else is', async () => {
  const workspace_id = await testWorkspace(ledger, { expiry_days: 3 });
  const clients = await pending(workspace_id, 250);
  const others = await Promise.all([ledger.replica(), ledger.replica()]);
  clock.advanceMs(DAY);
  const counts = await Promise.all([ledger, ...others].map(({ deps }) => settleDue(deps)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(250);
  const entries = await ledger.deps.entries.collection.countDocuments({ type: 'unlock' });
  expect(entries).toBe(250);
  const wallets = await ledger.deps.wallets.collection.find({ workspace_id }).toArray();
  expect(wallets).toHaveLength(clients.length);
  for (const { lease, next_due_at } of wallets) {
    expect(lease).toBeUndefined();
    expect(next_due_at!.getTime()).toBeGreaterThan(clock.now().getTime() + DAY);
  }
  clock.advanceMs(3 * DAY);
  expect(await settleDue(ledger.deps)).toBe(250);
  for (const one of await ledger.deps.wallets.collection.find({ workspace_id }).toArray()) {
    expect(one.figures.active).toBe(0);
    expect(one).not.toHaveProperty('next_due_at');
  }
});

test('a claim that no snapshot has ended is over when nothing is due in its wallet after all', async () => {
  const workspace_id = await testWorkspace(ledger);
  const [client, never] = await pending(workspace_id, 2);
  const { collection } = ledger.deps.wallets;
  const { next_due_at: due } = await walletOf(client!);
  await asCaller(() =>
    ledger.rpc.CloseClientWallets({ workspace_id, client_id: never!, anonymized: false }),
  );
  await ledger.deps.log.drained();
  // As where a process died, or one of the release before wrote the snapshot beside the claim.
  const past = { next_due_at: new Date(clock.now().getTime() - 1), lease: newId() };
  await collection.updateMany({ workspace_id }, { $set: past });
  expect(await settleDue(ledger.deps)).toBe(2);
  expect(await walletOf(client!)).toMatchObject({ next_due_at: due });
  for (const id of [client!, never!]) expect(await walletOf(id)).not.toHaveProperty('lease');
  expect(await walletOf(never!)).not.toHaveProperty('next_due_at');
  expect(await settleDue(ledger.deps)).toBe(0);
});

test('a wallet that the release before says nothing is ever due in is not looked at', async () => {
  const workspace_id = await testWorkspace(ledger);
  await pending(workspace_id, 3);
  await ledger.deps.wallets.collection.updateMany(
    { workspace_id },
    { $set: { next_due_at: null } },
  );
  clock.advanceMs(2 * DAY);
  expect(await take()).toEqual([]);
});
