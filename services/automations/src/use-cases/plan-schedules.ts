import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { type Rule, zoneOf } from '../domain/rule';
import { nextRun } from '../outside/schedule';
import type { Plan } from '../store/rules';
import { zoneOfWorkspace } from './gather-facts';

/** When a rule is next due by the clock, and in which zone that was worked out; null where it never is. */
export function planAfter(rule: Rule, after: Date, workspaceZone: string): Plan | null {
  const { schedule } = rule.trigger_config;
  if (!rule.active || rule.trigger_type !== 'time_based' || !schedule) return null;
  const dueAt = nextRun(schedule, after, workspaceZone);
  return dueAt && { dueAt, zone: zoneOf(rule, workspaceZone) };
}

/** Whether a rule that is due by the clock goes by its workspace's time zone. */
function followsWorkspace({ active, trigger_type, trigger_config }: Rule): boolean {
  return active && trigger_type === 'time_based' && trigger_config.schedule?.timezone === undefined;
}

/**
 * Works out anew when schedules without a zone of their own are due, after the workspace's zone changed; a moment that
 * has come already stays. Also to be called after a rule was written with a zone that was read before: one change or
 * the other sees what the two make together.
 *
 * @param only the rule that was written; all of the workspace where it is absent
 */
export async function replanSchedules(
  deps: Pick<Deps, 'clock' | 'connection' | 'identity' | 'rules'>,
  workspaceId: string,
  only?: Rule,
): Promise<void> {
  if (only && !followsWorkspace(only)) return;
  const zone = await zoneOfWorkspace(deps, workspaceId);
  const scheduled = only
    ? [await deps.rules.find(workspaceId, only.id)]
    : await deps.rules.listActive(workspaceId, 'time_based');
  const now = deps.clock.now();
  for (const rule of scheduled) {
    if (!rule?.plan || !followsWorkspace(rule)) continue;
    if (rule.plan.zone === zone || rule.plan.dueAt <= now) continue;
    const plan = planAfter(rule, now, zone);
    // A faster replica has seen the zone, too: it read it after this change was published.
    await unitOfWork(deps.connection, (session) => deps.rules.advance(rule, plan, session));
  }
}

/**
 * Works out anew when the rules of a workspace that has just been opened are due: those of a clone were planned by the clock
 * of its source, which may be a sandbox that is a year ahead (docs/adr/0042). Repeating it is harmless.
 */
export async function planOpenedWorkspace(
  deps: Pick<Deps, 'clock' | 'connection' | 'identity' | 'rules'>,
  workspaceId: string,
): Promise<void> {
  const scheduled = await deps.rules.listActive(workspaceId, 'time_based');
  if (scheduled.length === 0) return;
  const zone = await zoneOfWorkspace(deps, workspaceId);
  const now = deps.clock.now();
  for (const rule of scheduled) {
    if (!rule.plan || rule.plan.dueAt <= now) continue;
    const plan = planAfter(rule, now, zone);
    await unitOfWork(deps.connection, (session) => deps.rules.advance(rule, plan, session));
  }
}
