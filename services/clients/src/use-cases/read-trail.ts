import type { Deps, WorkspaceUnit } from '../deps';
import { stepsOf } from '../domain/segments/running-sum';
import { collectTimes, type KeptTrail, keptOf } from '../domain/segments/whole-trail';
import type { ClientTrail } from '../store/client-trail';

const ROWS_AT_ONCE = 1_000;

/**
 * Reads of the trail of a client what its profile keeps. Of a long one that is the newest of each kind, and what the store
 * adds up: a client may have any number of events, and others wait for what this process does in one go.
 */
export async function readTrail(
  { events }: Pick<Deps, 'events'>,
  { workspaceId, session }: WorkspaceUnit,
  clientId: string,
): Promise<KeptTrail> {
  const trail: ClientTrail = { workspaceId, clientId, session };
  let rows = await events.newestTold(trail, { limit: ROWS_AT_ONCE });
  if (rows.length < ROWS_AT_ONCE) return keptOf(rows);
  const collected = collectTimes();
  rows.forEach(collected.add);
  while (rows.length === ROWS_AT_ONCE) {
    const rest = { before: rows.at(-1)!, but: collected.complete() };
    rows = await events.newestTold(trail, { ...rest, limit: ROWS_AT_ONCE });
    rows.forEach(collected.add);
  }
  return {
    times: collected.times,
    referrals: await events.countReferred(trail),
    spent: stepsOf(await events.amountsSpent(trail)),
    earned: stepsOf(await events.amountsEarned(trail)),
  };
}
