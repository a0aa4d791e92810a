import { setTimeout as pause } from 'node:timers/promises';
import { authKeys } from '@laurel/auth-cache';
import type { Process } from '@laurel/work';
import type { Deps } from '../deps';
import { accountOf } from '../domain/sandbox';
import type { ClaimedClock } from '../store/sandbox-clocks';
import { timeIn } from './get-clock';

/** How long what is due at one moment may take: longer than a service is away that is started anew. */
const SETTLE_MS_MAX = 60_000;
/** A question to every service each time: what takes longer is asked for less often. */
const LOOK_MS = 25;
const LOOK_MS_MAX = 250;
/** After that long the clocks of others have their turn. */
const TURN_MS = 10_000;
/** A schedule of every minute passes so many moments in a week. */
const STEPS_MAX = 10_000;

type AdvanceDeps = Pick<Deps, 'cache' | 'clock' | 'clockPeers' | 'members' | 'sandboxClocks'>;

/**
 * Takes the clock of a sandbox from one due moment to the next, each time until nothing is left to do, up to where the
 * advance goes (docs/adr/0029). A worker that takes it over goes on where it has come to.
 */
export async function workAdvance(
  deps: AdvanceDeps,
  row: ClaimedClock,
  process: Process,
): Promise<void> {
  const { clock, clockPeers, sandboxClocks } = deps;
  const { _id: workspaceId, ends_at } = row;
  const { to, steps: passed = 0 } = row.advance!;
  const turnEndsAt = Date.now() + TURN_MS;
  let { ahead_ms } = row;
  for (let steps = passed; ; steps += 1) {
    const isOver = steps > passed && Date.now() > turnEndsAt;
    if (isOver || process.isStopping()) return void (await sandboxClocks.release(row, clock.now()));
    // Sent each time: a worker that died after it was written may not have reached all peers.
    await clockPeers.move(workspaceId, ahead_ms, ends_at);
    const settled = await settle(deps, workspaceId, to);
    const isThere = timeIn(ahead_ms, clock.now()) >= to;
    const problem =
      settled.problem ?? (steps > STEPS_MAX ? 'more moments than one advance passes' : null);
    if (problem !== null || isThere) {
      await forgetMemberships(deps, workspaceId);
      return void (await sandboxClocks.finish(row, problem));
    }
    const next = settled.nextDueAt && settled.nextDueAt < to ? settled.nextDueAt : to;
    ahead_ms = Math.max(ahead_ms, next.getTime() - clock.now().getTime());
    if (!(await sandboxClocks.move(row, ahead_ms))) return;
  }
}

/** Waits until two accounts in a row say that nothing is left to do and are the same: in between nothing was under way. */
async function settle(
  { clockPeers }: AdvanceDeps,
  workspaceId: string,
  until: Date,
): Promise<{ nextDueAt: Date | null; problem: string | null }> {
  const givesUpAt = Date.now() + SETTLE_MS_MAX;
  let pauseMs = LOOK_MS;
  for (let before = ''; ; await pause(pauseMs)) {
    const { waitsFor, figures, nextDueAt } = accountOf(await clockPeers.look(workspaceId, until));
    if (waitsFor.length === 0 && figures === before) return { nextDueAt, problem: null };
    before = waitsFor.length === 0 ? figures : '';
    pauseMs = waitsFor.length === 0 ? LOOK_MS : Math.min(2 * pauseMs, LOOK_MS_MAX);
    if (Date.now() > givesUpAt) {
      const left = [...new Set(waitsFor)].join(', ') || 'events that go on and on';
      return { nextDueAt: null, problem: `still at work after a minute: ${left}` };
    }
  }
}

/** They say how far the sandbox is ahead. */
async function forgetMemberships(
  { cache, members }: AdvanceDeps,
  workspaceId: string,
): Promise<void> {
  const everybody = await members.list(workspaceId);
  const keys = everybody.map(({ user_id }) => authKeys.member(workspaceId, user_id));
  await cache.revoke(keys, async () => undefined);
}
