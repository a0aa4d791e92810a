import { mapAtOnce } from '@laurel/lifecycle';
import type { PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import { isWithinWindow, type Rule } from '../domain/rule';
import { trigger } from '../domain/trigger';
import type { ClaimedRun, Run } from '../store/runs';
import { fireRule } from './fire-rules';

const CLIENTS_PER_PAGE = 200;
const AT_ONCE = 8;
const LEASE_MS = 60_000;
/** After that long the runs of others get their turn. */
const SLICE_MS = 5_000;

/**
 * Works on runs that nobody works on, page by page of the active clients. A page that is done again after a crash finds
 * what it has done: each client is served once per run. Workspaces take turns: a rule over a million members does not
 * keep the birthday rule of another waiting.
 */
export const runWorker = (deps: Deps): PieceJob<ClaimedRun> => ({
  name: 'work-runs',
  due: deps.runs.due,
  concurrency: 4,
  share: 1,
  leaseMs: LEASE_MS,
  clock: deps.clock,
  work: (run) => workRun(deps, run),
});

async function workRun(deps: Deps, run: ClaimedRun): Promise<void> {
  const rule = await deps.rules.find(run.workspaceId, run.ruleId);
  const isWanted = rule?.active === true && isWithinWindow(rule, run.dueAt);
  const isDone = !isWanted || (await workPages(deps, rule, run));
  if (isDone) await deps.runs.finish(run, deps.clock.now());
}

/** False when others have their turn now, or somebody else took the run over. */
async function workPages(deps: Deps, rule: Rule, run: ClaimedRun): Promise<boolean> {
  const endsAt = deps.clock.now().getTime() + SLICE_MS;
  let cursor = run.cursor;
  for (;;) {
    const page = await deps.clients.ListClients({
      workspace_id: run.workspaceId,
      filter: { status: 'active', tier_ids: [], custom_fields: [] },
      limit: CLIENTS_PER_PAGE,
      offset: 0,
      ...(cursor === null ? {} : { cursor }),
    });
    await mapAtOnce(page.clients, AT_ONCE, async ({ id }) => {
      // What met a fault is on record, and the sweeper goes on with it.
      await fireRule(deps, { rule, happened: happening(run, id) });
      await deps.departures.catchUp(deps, { workspaceId: run.workspaceId, clientId: id });
    });
    if (!page.next_cursor) return true;
    cursor = page.next_cursor;
    if (!(await deps.runs.advance(run, cursor))) return false;
    if (deps.clock.now().getTime() < endsAt) continue;
    await deps.runs.release(run, deps.clock.now());
    return false;
  }
}

function happening(run: Run, clientId: string) {
  return trigger({
    type: 'time_based',
    eventId: run.id,
    triggerEventId: null,
    eventType: 'schedule',
    eventCategory: 'time_based',
    clientId,
    at: run.dueAt,
  });
}
