import { stableId } from '@laurel/lifecycle';
import { isDuplicateKey, unitOfWork } from '@laurel/mongo';
import type { Room } from '@laurel/work';
import type { Deps } from '../deps';
import type { StoredRule } from '../store/rules';
import { zoneOfWorkspace } from './gather-facts';
import { planAfter } from './plan-schedules';

const RULES_MAX = 100;
/** Some of every workspace each time: a rule that cannot be opened stands in the way of its own workspace only. */
const ROOM: Room = { count: RULES_MAX, share: 20, inHand: new Map() };

/**
 * Opens a run for every time_based rule whose moment has come. After a downtime the moment that was
 * missed is caught up with, once, however many of them passed.
 */
export async function openRuns(deps: Deps): Promise<{ more: boolean }> {
  const due = await deps.rules.findDue(deps.clock.now(), ROOM);
  let failed = 0;
  for (const rule of due) {
    try {
      await openRun(deps, rule);
    } catch (error) {
      failed += 1;
      deps.logger.error({ err: error, rule: rule.id }, 'a run could not be opened yet');
    }
  }
  return { more: failed === 0 && due.length > 0 };
}

async function openRun(deps: Deps, rule: StoredRule): Promise<void> {
  const now = deps.clock.now();
  // Another replica may have moved it on between its being found and its being read.
  if (!rule.plan || rule.plan.dueAt > now) return;
  const { dueAt } = rule.plan;
  const next = planAfter(rule, now, await zoneOfWorkspace(deps, rule.workspace_id));
  const run = {
    id: stableId(`${rule.id} ${dueAt.toISOString()}`),
    workspaceId: rule.workspace_id,
    ruleId: rule.id,
    dueAt,
    cursor: null,
  };
  try {
    await unitOfWork(deps.connection, async (session) => {
      if (await deps.rules.advance(rule, next, session)) await deps.runs.insert(run, now, session);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Its run is there: the rule must go on to the next moment all the same.
    await unitOfWork(deps.connection, (session) => deps.rules.advance(rule, next, session));
  }
}
