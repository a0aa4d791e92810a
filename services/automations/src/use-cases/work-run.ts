import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { isWithinWindow, type Rule } from '../domain/rule';
import { trigger } from '../domain/trigger';
import type { Run } from '../store/runs';
import { fireRule } from './fire-rules';

const CLIENTS_PER_PAGE = 200;
const AT_ONCE = 8;
const LEASE_MS = 60_000;

/**
 * Works on a run that nobody works on, page by page of the active clients. A page that is done again
 * after a crash finds what it has done: each client is served once per run.
 */
export async function workRun(deps: Deps): Promise<{ more: boolean }> {
  const lease = newId();
  const run = await deps.runs.claim(deps.clock.now(), LEASE_MS, lease);
  if (!run) return { more: false };
  const rule = await deps.rules.find(run.workspaceId, run.ruleId);
  const isWanted = rule?.active === true && isWithinWindow(rule, run.dueAt);
  if (isWanted && !(await workPages(deps, rule, run, lease))) return { more: true };
  await deps.runs.finish(run, deps.clock.now(), lease);
  return { more: true };
}

/** False when somebody else took the run over. */
async function workPages(deps: Deps, rule: Rule, run: Run, lease: string): Promise<boolean> {
  let cursor = run.cursor;
  for (;;) {
    const page = await deps.clients.ListClients({
      workspace_id: run.workspaceId,
      filter: { status: 'active' },
      limit: CLIENTS_PER_PAGE,
      offset: 0,
      ...(cursor === null ? {} : { cursor }),
    });
    await inSmallGroups(page.clients, ({ id }) => fireRule(deps, rule, happening(run, id)));
    if (!page.next_cursor) return true;
    cursor = page.next_cursor;
    const until = new Date(deps.clock.now().getTime() + LEASE_MS);
    if (!(await deps.runs.advance(run, cursor, until, lease))) return false;
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

async function inSmallGroups<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
