import type { TriggerType } from '@laurel/contract';
import { contextOf, isOutage } from '@laurel/events';
import { createInTurn, runInContext } from '@laurel/lifecycle';
import { type PageJob, PIECE_LEASE_MS } from '@laurel/work';
import type { Deps } from '../deps';
import { FAULTS_MAX, retryMs } from '../domain/retry';
import type { HeldTrigger } from '../store/trigger-backlog';
import type { BacklogShare } from './backlog-share';
import { createHeldUp, laneOf } from './held-up';
import type { createUnmetRules } from './unmet-rules';
import { fireWanted, type ListActive, noteConsidered, wantedOf } from './wanted-rules';

/** Those that waited are taken up, worked on at once and done with in pages: what they ask for at the same moment is asked once. */
const BACKLOG_PAGE = 16;
/** How many of them are in hand, of one workspace and of all. */
const BACKLOG_SHARE = 2 * BACKLOG_PAGE;
const BACKLOG_CONCURRENCY = 4 * BACKLOG_PAGE;

type UnmetRules = ReturnType<typeof createUnmetRules>;

interface Backlog {
  share: BacklogShare;
  listActive: ListActive;
  unmetRules: UnmetRules;
  /** Nothing of a workspace is at work any more. */
  onIdle(workspaceId: string): Promise<void>;
}

/**
 * Works off events that were put aside: those of one client one after the other and in the order in which they came, as
 * they would have been from the queue.
 */
export function backlogJob(
  deps: Deps,
  { share, listActive, unmetRules, onIdle }: Backlog,
): PageJob<HeldTrigger> {
  const inLane = createInTurn();
  const asOneOf = createWorkCount();
  const heldUp = createHeldUp(deps);

  /**
   * All enter the lanes of their clients at once: one that waited for the others of its page would be passed by events of
   * its client in the next.
   */
  async function workAll(page: readonly HeldTrigger[]): Promise<void> {
    const around = { share, heldUp, rules: readOnce(listActive), unmetRules };
    const settled = await Promise.allSettled(
      page.map((held) => inLane(laneOf(held), () => workHeld(deps, held, around))),
    );
    const done = page.filter((_, at) => {
      const outcome = settled[at]!;
      return outcome.status === 'fulfilled' && outcome.value === 'done';
    });
    await deps.triggerBacklog.remove(page[0]!.workspaceId, done);
    for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async function workPage(page: readonly HeldTrigger[]): Promise<void> {
    const { workspaceId } = page[0]!;
    const left = await asOneOf(workspaceId, () => workAll(page)).finally(() => share.land(page));
    // Something of the workspace is still at work, and so left: no need to ask the store.
    if (left === 0) await onIdle(workspaceId);
  }

  return {
    name: 'fire-waiting-triggers',
    due: { ...deps.triggerBacklog.due, claim: share.claim },
    concurrency: BACKLOG_CONCURRENCY,
    share: BACKLOG_SHARE,
    page: BACKLOG_PAGE,
    leaseMs: PIECE_LEASE_MS,
    clock: deps.clock,
    workPage: (claimed) => workPage(claimed.map(({ row }) => row)),
  };
}

/** Does work and says how much else of the same workspace is being done at its end. */
function createWorkCount() {
  const atWork = new Map<string, number>();
  return async (workspaceId: string, work: () => Promise<void>): Promise<number> => {
    const count = (change: number): number => {
      const now = (atWork.get(workspaceId) ?? 0) + change;
      if (now === 0) atWork.delete(workspaceId);
      else atWork.set(workspaceId, now);
      return now;
    };
    count(1);
    let left = 0;
    try {
      await work();
    } finally {
      left = count(-1);
    }
    return left;
  };
}

interface Around {
  share: Pick<BacklogShare, 'holds'>;
  heldUp: ReturnType<typeof createHeldUp>;
  rules: ListActive;
  unmetRules: UnmetRules;
}

type Outcome = 'done' | 'left';

/** Never throws what the event is to blame for: it comes up again, a bounded number of times. One that meets an outage waits for its end. */
async function workHeld(
  deps: Deps,
  held: HeldTrigger,
  { share, heldUp, rules, unmetRules }: Around,
): Promise<Outcome> {
  const { triggerBacklog } = deps;
  if (!share.holds(held)) {
    await triggerBacklog.giveBack(held);
    return 'left';
  }
  const behind = await heldUp.behind(held);
  if (behind) {
    await triggerBacklog.keepWaiting(held, behind);
    return 'left';
  }
  try {
    await unmetRules.during(held.id, async (unmet) => {
      // It may have been in hand by another process before.
      for (const id of held.unmet) unmet.add(id);
      await runInContext(contextOf(held.event), async () =>
        fireWanted(deps, await wantedOf(held.event, rules), unmet),
      );
      await noteConsidered(deps, held.event);
    });
    heldUp.over(held);
    return 'done';
  } catch (error) {
    const tried = { ...held, unmet: [...unmetRules.of(held.id)] };
    if (isOutage(error)) {
      const { id, workspaceId } = held;
      const about = { err: error, event_id: id, workspace_id: workspaceId };
      deps.logger.warn(about, 'an event waits for a service');
      await triggerBacklog.keepWaiting(tried, heldUp.wait(held));
    } else {
      heldUp.over(held);
      await retryLater(deps, tried, error);
    }
    return 'left';
  }
}

async function retryLater(
  { triggerBacklog, clock, logger }: Deps,
  held: HeldTrigger,
  error: unknown,
): Promise<void> {
  const about = { err: error, event_id: held.id, workspace_id: held.workspaceId };
  const isLast = held.attempts >= FAULTS_MAX;
  if (isLast) logger.error(about, 'an event that waited for rules was given up');
  else logger.warn(about, 'an event that waits for rules will be tried again');
  const retryAt = new Date(clock.now().getTime() + retryMs(held.attempts));
  await triggerBacklog.postpone(held, isLast ? null : retryAt);
}

/** Rules as they are when the first of a page asks for them: all of its events have happened before. */
function readOnce(read: ListActive): ListActive {
  const known = new Map<TriggerType, ReturnType<ListActive>>();
  return (workspaceId, type) => {
    const answer = known.get(type) ?? read(workspaceId, type);
    known.set(type, answer);
    return answer;
  };
}
