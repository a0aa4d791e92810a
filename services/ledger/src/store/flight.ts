import { Refusal } from '@laurel/errors';
import { runInBackground, standstills } from '@laurel/lifecycle';
import { isOfSome } from '@laurel/mongo';
import { UnsoundWallet } from '../domain/soundness';
import { refusals } from '../refusals';
import type { EntryDocument } from './documents';
import type { Head } from './head';
import { insertEntries } from './insert';
import type { Lane, Task } from './lanes';
import { isLate } from './late';
import type { FlightParts, LogParts } from './log-parts';
import { type Deciding, deciding, overlooks } from './looks';
import { ledgerMetrics } from './metrics';
import { Planner, SETTLED_AT_ONCE, withinRange } from './planner';
import { repeatIn } from './repeats';
import { startsWallet } from './type-uses';

/** What a flight has taken from the queue of one wallet. */
interface Load {
  lane: Lane;
  tasks: Task[];
  /** So much of what is due in it goes with this flight. */
  settledAtOnce: number;
  deciding: Deciding;
}

interface Planned {
  task: Task;
  /** Position of its entry among the planned ones. */
  position: number;
}

/** A no, which holds only if everything before it was committed and the head was the true one. */
interface Declined {
  task: Task;
  refusal: Refusal | null;
}

interface Plan extends Load {
  planner: Planner;
  planned: Planned[];
  declined: Declined[];
  /** Those that wait for what is due and did not go with this flight, or for a reversal of the same earn that did. */
  waiting: Task[];
}

const TASKS_PER_FLIGHT_MAX = 256;
const ATTEMPTS_MAX = 60;

/** Makes the function that takes the queues of some wallets from waiting to answered. It never throws. */
export function createFlight(parts: FlightParts) {
  return (lanes: readonly Lane[]): Promise<void> =>
    runInBackground('ledger.flight', async () => {
      const tasks = new Map(lanes.map((lane) => [lane, takeTasks(lane, parts)]));
      try {
        await flyTasks(parts, tasks);
      } catch (error) {
        parts.logger.warn({ err: error }, 'ledger writes failed and are tried again');
        parts.unheard();
        for (const [lane, own] of tasks) tryAgain(lane, own, error);
      }
    });
}

function takeTasks(lane: Lane, { now }: LogParts): Task[] {
  const taken = lane.tasks.splice(0, TASKS_PER_FLIGHT_MAX);
  return taken.filter((task) => {
    const late = isLate(task.context, now());
    if (late) task.reject(refusals.busy());
    return !late;
  });
}

/** A process that stood still since it took them would write what another replica has refused meanwhile. */
function requireMoving({ now }: LogParts, tasks: Map<Lane, Task[]>, takenAt: number): void {
  if (!standstills().isAnySince(takenAt)) return;
  const at = now();
  if ([...tasks.values()].some((own) => own.some(({ context }) => isLate(context, at))))
    throw new Error('the time of a caller was over before the entry was written');
}

async function flyTasks(parts: FlightParts, tasks: Map<Lane, Task[]>): Promise<void> {
  const takenAt = performance.now();
  await answerRepeats(parts, tasks);
  const heads = await headsOf(parts, [...tasks.keys()]);
  const settledAtOnce = Math.ceil(SETTLED_AT_ONCE / tasks.size);
  // After the heads: what comes later takes the place of what was decided without it.
  const how = { settledAtOnce, deciding: await deciding(tasks.values()) };
  const plans = await admitted(
    parts,
    [...tasks].map(([lane, own]) =>
      planOf(parts, heads.get(lane.ref.id)!, { lane, tasks: own, ...how }),
    ),
  );
  requireMoving(parts, tasks, takenAt);
  const inserted = await insertEntries(
    parts.entries.collection,
    plans.map(({ planner }) => planner.documents),
  );
  const committed = plans.flatMap(({ planner }, at) => planner.documents.slice(0, inserted[at]));
  ledgerMetrics.flightEntries.observe(committed.length);
  if (committed.length > 0) parts.committed(committed);
  await parts.entries.applyMarks(committed);
  const declined = plans.flatMap((plan, at) => settlePlan(parts, plan, inserted[at]!));
  await decline(parts, declined);
}

/** A command that was tried before may have been committed without our knowing: its entry answers it. */
async function answerRepeats(parts: LogParts, tasks: Map<Lane, Task[]>): Promise<void> {
  const retried = [...tasks.values()].flat().filter(({ attempts }) => attempts > 0);
  if (retried.length === 0) return;
  const answered = await replay(parts, retried);
  for (const [lane, own] of tasks) {
    tasks.set(
      lane,
      own.filter((task) => !answered.has(task)),
    );
  }
}

async function replay(parts: LogParts, tasks: readonly Task[]): Promise<Set<Task>> {
  const found = await parts.entries.findRepeats(
    tasks.map(({ command }) => ({ ...command, workspaceId: command.wallet.workspaceId })),
  );
  return new Set(tasks.filter((task) => answerFrom(found, task)));
}

/** Whether a task was a repeat; then it is answered. */
function answerFrom(found: readonly EntryDocument[], task: Task): boolean {
  const { command, context, resolve, reject } = task;
  const own = found.filter((entry) => entry.workspace_id === command.wallet.workspaceId);
  try {
    const outcome = repeatIn(own, { ...command, context });
    if (outcome) resolve(outcome);
    return outcome !== null;
  } catch (refusal) {
    reject(refusal);
    return true;
  }
}

async function headsOf({ heads }: LogParts, lanes: readonly Lane[]): Promise<Map<string, Head>> {
  const toProve = lanes.filter(({ proveFirst }) => proveFirst).map(({ ref }) => ref);
  const others = lanes.filter(({ proveFirst }) => !proveFirst).map(({ ref }) => ref);
  const [proven, likely] = await Promise.all([heads.proven(toProve), heads.likely(others)]);
  return new Map([...proven, ...likely]);
}

function planOf(parts: LogParts, head: Head, load: Load): Plan {
  const { lane, tasks, settledAtOnce } = load;
  const planner = new Planner(head);
  const plan: Plan = { ...load, planner, planned: [], declined: [], waiting: [] };
  // One flight takes the wallets of many workspaces.
  const at = parts.now(lane.ref.workspaceId);
  try {
    withinRange(() => planner.settle(at, settledAtOnce));
  } catch (error) {
    // It is this wallet's alone: the others of the flight go on.
    for (const task of tasks) fail(parts, plan, { task, error });
    return plan;
  }
  for (const task of tasks) {
    const { operationId, claim } = task.command;
    try {
      const mayGo = !overlooks(task, planner.documents);
      if (!mayGo || !withinRange(() => planner.settleLeft(at, settledAtOnce))) {
        plan.waiting.push(task);
        continue;
      }
      const identity = { operationId, claim, context: task.context };
      const entry = planner.decide(load.deciding(task), at, identity);
      if (entry) plan.planned.push({ task, position: planner.documents.length - 1 });
      else plan.declined.push({ task, refusal: null });
    } catch (error) {
      fail(parts, plan, { task, error });
    }
  }
  return plan;
}

/** The same plans, with noes alone where the type of a new wallet was deleted meanwhile. */
async function admitted({ typeUses }: LogParts, plans: Plan[]): Promise<Plan[]> {
  if (!plans.some(({ planner }) => startsWallet(planner))) return plans;
  const refusal = refusals.unknownWalletType();
  return Promise.all(
    plans.map(async (plan) => {
      if (await typeUses.admits(plan.planner)) return plan;
      const declined = plan.tasks.map((task) => ({ task, refusal }));
      return { ...plan, planner: new Planner(plan.planner.base), planned: [], declined };
    }),
  );
}

/** A refusal is a no that is still to be proven; anything else is a fault, and ends the operation. */
function fail(
  { logger }: LogParts,
  { lane, declined }: Plan,
  { task, error }: { task: Task; error: unknown },
): void {
  if (error instanceof Refusal) {
    declined.push({ task, refusal: error });
    return;
  }
  const alarm = error instanceof UnsoundWallet ? 'fatal' : 'error';
  logger[alarm]({ err: error, wallet: lane.ref.id }, 'an operation was not written');
  task.reject(error);
}

/** Answers what was committed, queues again what was not, and returns the noes that now hold. */
function settlePlan(parts: LogParts, plan: Plan, inserted: number): Declined[] {
  const { lane, planner, planned, declined } = plan;
  const head = planner.headAfter(inserted);
  const whole = inserted === planner.documents.length;
  const proven = inserted > 0 || lane.proveFirst;
  for (const { task, position } of planned) {
    if (position < inserted) task.resolve({ entry: planner.documents[position]!, replayed: null });
  }
  if (inserted > 0) {
    parts.heads.remember(head);
    parts.snapshots.follow(head);
  }
  const lost = new Set(planned.filter(({ position }) => position >= inserted).map(toTask));
  ledgerMetrics.placesLost.inc(lost.size);
  if (!whole || !proven) for (const { task } of declined) lost.add(task);
  if (whole) {
    lane.failures = 0;
    lane.fliesAlone = false;
  } else {
    lane.failures += 1;
    parts.heads.overtaken(lane.ref.id);
  }
  lane.proveFirst = lost.size > 0 || !whole;
  for (const task of plan.waiting) lost.add(task);
  requeue(
    lane,
    plan.tasks.filter((task) => lost.has(task)),
    whole,
  );
  return whole && proven ? declined : [];
}

function toTask({ task }: { task: Task }): Task {
  return task;
}

/** Puts tasks back at the front, in order. One that keeps losing is turned away before its caller gives up. */
function requeue(lane: Lane, tasks: readonly Task[], unproven: boolean): void {
  const again = tasks.filter((task) => {
    if (!unproven) task.attempts += 1;
    if (task.attempts < ATTEMPTS_MAX) return true;
    task.reject(refusals.busy());
    return false;
  });
  lane.tasks.unshift(...again);
}

/**
 * The outcome of a failed write is unknown: it is tried again, and found if it was committed after all. Where one wallet may
 * be to blame each goes by itself from then on, so that an entry which the store does not take fails for no other.
 */
function tryAgain(lane: Lane, tasks: readonly Task[], error: unknown): void {
  lane.proveFirst = true;
  lane.fliesAlone = isOfSome(error);
  lane.failures += 1;
  const again = tasks.filter((task) => {
    task.attempts += 1;
    if (task.attempts < ATTEMPTS_MAX / 10) return true;
    task.reject(error);
    return false;
  });
  lane.tasks.unshift(...again);
}

/** Says no, unless the command turns out to be a repeat of one that was said yes to. */
async function decline(parts: LogParts, declined: readonly Declined[]): Promise<void> {
  if (declined.length === 0) return;
  const answered = await replay(
    parts,
    declined.map(({ task }) => task),
  );
  for (const { task, refusal } of declined) {
    if (answered.has(task)) continue;
    if (refusal) task.reject(refusal);
    else task.resolve(null);
  }
}
