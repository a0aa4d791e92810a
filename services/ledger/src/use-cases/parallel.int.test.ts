import { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { ledger as messages } from '@laurel/rpc';
import { testClock } from '@laurel/testing';
import { toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import { type Of, type Step, storiesOf } from '../testing/happenings';
import { asCaller, settleDue, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import type { ReferenceRules } from '../testing/reference';
import { Replay } from '../testing/replay';

const CLIENTS = 4;
const CALLERS = 12;
const HOUR = 3_600_000;

const clock = testClock();
let replicas: TestLedger[];
beforeAll(async () => {
  const ledger = await testLedger({ now: () => clock.now().getTime() });
  replicas = [ledger, await ledger.replica()];
});
afterAll(async () => {
  await replicas[1]!.deps.log.drained();
  await replicas[0]!.drop();
});

/** What of a story has been written so far and may be referred to. */
interface Scene {
  workspace_id: string;
  clients: string[];
  entries: string[];
  locks: string[];
  purchases: string[];
}

/** Sends one step to one of the processes; `index` is its place in the story. */
async function send(scene: Scene, step: Step, index: number): Promise<void> {
  const { workspace_id, clients } = scene;
  const { rpc, deps } = replicas[index % 2]!;
  const client_id = clients[step.client]!;
  if (step.do === 'wait') {
    clock.advanceMs(step.hours * HOUR);
    await settleDue(deps);
  } else if (step.do === 'batch') await batch(scene, step, index);
  else if (step.do === 'earn') {
    const { entry } = await rpc.EarnPoints(earnOf(scene, step, index));
    scene.entries.push(entry!.id);
    scene.purchases.push(`purchase-${index}`);
  } else if (step.do === 'spend') {
    const { entry } = await rpc.SpendPoints({ workspace_id, client_id, amount: step.amount });
    scene.entries.push(entry!.id);
  } else if (step.do === 'up' || step.do === 'down') {
    const { entry } = await rpc.AdjustPoints(adjustOf(scene, step));
    scene.entries.push(entry!.id);
  } else if (step.do === 'lock') {
    const { entry } = await rpc.LockPoints({ workspace_id, client_id, amount: step.amount });
    scene.locks.push(entry!.id);
  } else if (step.do === 'transfer') {
    const to_client_id = anotherOf(clients, step);
    const { amount } = step;
    await rpc.TransferPoints({ workspace_id, from_client_id: client_id, to_client_id, amount });
  } else if (step.do === 'merge') {
    const target_client_id = anotherOf(clients, step);
    await rpc.MergeClientWallets({ workspace_id, source_client_id: client_id, target_client_id });
  } else if (step.do === 'close') await rpc.CloseClientWallets({ workspace_id, client_id });
  else await referBack(scene, step, index);
}

/** The steps about something that an earlier one wrote, on whichever wallet. */
async function referBack(
  { workspace_id, entries, locks, purchases }: Scene,
  step: Of<'release' | 'capture' | 'cancel' | 'refund'>,
  index: number,
): Promise<void> {
  const { rpc } = replicas[index % 2]!;
  const from = step.do === 'refund' ? purchases : step.do === 'cancel' ? entries : locks;
  const id = from[step.pick % (from.length || 1)];
  if (id === undefined) return;
  if (step.do === 'refund')
    await rpc.RefundPurchase({ workspace_id, source_id: id, ratio: step.quarters / 4 });
  else if (step.do === 'cancel')
    await rpc.CancelEntry({ workspace_id, entry_id: id, reason: 'test' });
  else if (step.do === 'release') await rpc.ReleaseLock({ workspace_id, entry_id: id });
  else {
    const part = step.amount === null ? {} : { amount: step.amount };
    const { entry } = await rpc.CaptureLock({ workspace_id, entry_id: id, ...part });
    entries.push(entry!.id);
  }
}

async function batch(scene: Scene, step: Of<'batch'>, index: number): Promise<void> {
  const { workspace_id, clients } = scene;
  const operations = step.operations.map((one, position): messages.BatchOperation => {
    const own = { ...one, client: step.client } as Step;
    if (own.do === 'earn') return { earn: earnOf(scene, own, index * 100 + position) };
    if (own.do === 'up' || own.do === 'down') return { adjust: adjustOf(scene, own) };
    const spend = { workspace_id, client_id: clients[step.client]!, amount: one.amount };
    return { spend };
  });
  const { results } = await replicas[index % 2]!.rpc.BatchPoints({ workspace_id, operations });
  for (const { entry } of results) if (entry) scene.entries.push(entry.id);
}

const earnOf = ({ workspace_id, clients }: Scene, step: Of<'earn'>, index: number) => ({
  workspace_id,
  client_id: clients[step.client]!,
  amount: step.amount,
  pending_days: step.pendingDays,
  ...(step.expiryDays === null ? {} : { expiry_days: step.expiryDays }),
  source_type: 'transaction',
  source_id: `purchase-${index}`,
});

const adjustOf = ({ workspace_id, clients }: Scene, step: Of<'up' | 'down'>) => ({
  workspace_id,
  client_id: clients[step.client]!,
  amount: step.do === 'up' ? step.amount : -step.amount,
  description: 'by hand',
  ...(step.do === 'up' && step.expiryDays !== null ? { expiry_days: step.expiryDays } : {}),
});

const anotherOf = (clients: string[], { client, other }: Of<'transfer' | 'merge'>): string =>
  clients[(client + 1 + (other % (CLIENTS - 1))) % CLIENTS]!;

/** Several callers take the steps of a story from one queue; a refusal is an answer, anything else is a fault. */
async function play(scene: Scene, story: readonly Step[]): Promise<void> {
  const queue = [...story.entries()];
  const caller = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, step] = next;
      await asCaller(() => send(scene, step, index)).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.httpStatus >= 500) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function replay(workspaceId: string, rules: ReferenceRules): Promise<void> {
  const { entries, refunds } = replicas[0]!.deps;
  const written = await entries.collection
    .find({ workspace_id: workspaceId })
    .sort({ sequence: 1 })
    .toArray();
  const due = new Map<string, number>();
  for (const { operation_id: operation, source_id: source } of written)
    if (operation.startsWith('refund:')) {
      const [, refundId, earnId] = operation.split(':') as [string, string, string];
      const earn = written.find(({ _id }) => _id === earnId)!;
      const purchase = (await refunds.find(workspaceId, earn.source_id!))!;
      const { steps } = purchase.refunds.find(({ id }) => id === refundId)!;
      due.set(operation, steps.find(({ entry_id }) => entry_id === source)!.due);
    }
  new Replay({ entries: written, due, rules }).run();
}

test('whatever is sent to two processes at once, the log replays through the reference to every balance reported', async () => {
  const anyLimits = fc.record({
    cap: fc.option(fc.integer({ min: 50, max: 200 })),
    mayOwe: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(anyLimits, storiesOf(CLIENTS, 60), async ({ cap, mayOwe }, story) => {
      const workspace_id = await testWorkspace(replicas[0]!, {
        max_balance: cap,
        allow_negative_balance: mayOwe,
      });
      const clients = Array.from({ length: CLIENTS }, newId);
      await play({ workspace_id, clients, entries: [], locks: [], purchases: [] }, story);
      await replay(workspace_id, { cap: cap === null ? null : toUnits(cap), mayOwe });
      const { problems } = await replicas[0]!.rpc.VerifyLedger({ workspace_id });
      expect(problems).toEqual([]);
    }),
    // What happens at once happens another way the next time: there is nothing to shrink.
    { numRuns: 10, endOnFailure: true },
  );
}, 300_000);
