import { bindingsOf, type Listening, type OutboxSource } from '@laurel/events';
import { workspaceClock } from '@laurel/lifecycle';
import type { clock } from '@laurel/rpc';
import { byClockOf, clockOf, dueInSandboxes, isPieceWork, isTimed, type Job } from '@laurel/work';
import type { StoredTally } from './tally';

/** What a service does by itself and tells of, as far as the account of a sandbox needs it. */
export interface Surveyed {
  jobs: readonly Job[];
  sources: readonly OutboxSource[];
  queues: readonly ({ queue: string } & Listening)[];
  tally: StoredTally;
  /** Whether its jobs go by the clocks of sandboxes; else by real time, which no advance waits for. */
  followsSandboxes: boolean;
}

/**
 * What is left to do for a sandbox by its own time. What is in hand is asked for before what was sent: whatever ended
 * in between has sent what it had to.
 */
export async function standingOf(
  { jobs, sources, queues, tally, followsSandboxes }: Surveyed,
  workspaceId: string,
  until: Date,
): Promise<clock.Standing> {
  const busy: string[] = [];
  let nextAt = null as Date | null;
  const looks = await byClockOf(workspaceId, () =>
    Promise.all(jobs.map((job) => lookAt(job, workspaceId, until))),
  );
  for (const [position, looked] of looks.entries()) {
    if (looked.isBusy) busy.push(jobs[position]!.name);
    else if (looked.nextAt && (!nextAt || looked.nextAt < nextAt)) nextAt = looked.nextAt;
  }
  const { sent, handled } = await tally.account(workspaceId);
  for (const source of sources) if (await source.isPending(workspaceId)) busy.push('relay');
  return {
    busy,
    ...(nextAt && followsSandboxes ? { next_due_at: nextAt.toISOString() } : {}),
    sent,
    queues: queues.map((spec) => ({
      name: spec.queue,
      bindings: [...bindingsOf(spec)],
      handled: handled.get(spec.queue) ?? [],
    })),
  };
}

async function lookAt(
  job: Job,
  workspaceId: string,
  until: Date,
): Promise<{ isBusy: boolean; nextAt: Date | null }> {
  const due = dueInSandboxes(job);
  if (!due) return { isBusy: false, nextAt: null };
  const now = (isTimed(job) ? workspaceClock : clockOf(job)).now();
  const nextAt = await due.next(until);
  const isDue = nextAt !== null && nextAt <= now;
  // Whatever was to wake it may have been lost, and the sweep of a sandbox is a minute away.
  if (isDue) due.wake();
  return { isBusy: isDue || (await isInHand(job, workspaceId, now)), nextAt };
}

async function isInHand(job: Job, workspaceId: string, now: Date): Promise<boolean> {
  if (!isPieceWork(job)) return false;
  const reach = new Date(now.getTime() + job.leaseMs);
  return (await job.due.isHeld?.(workspaceId, reach)) === true;
}
