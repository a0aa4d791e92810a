import { isDeepStrictEqual } from 'node:util';
import { commitOnce, etagOf, keyAfter, requireUnchanged } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Rule, RuleFields } from '../domain/rule';
import { refusals } from '../refusals';
import { checkRule } from './check-rule';
import { zoneOfWorkspace } from './gather-facts';
import { planAfter, replanSchedules } from './plan-schedules';
import { usageOf } from './usage-of';
import { fieldsOf, toRuleReply } from './wire';

/** Changes the fields that are named. What the rule has used up of its limits stays. */
export async function updateRule(
  deps: Deps,
  { workspace_id: workspaceId, id, fields }: api.UpdateRuleRequest,
): Promise<api.Rule> {
  const changes = fieldsOf(fields);
  const found = await deps.rules.find(workspaceId, id);
  if (!found) throw refusals.ruleNotFound();
  await requireSound(deps, { ...found, ...changes }, changes);
  const zone = await zoneOfWorkspace(deps, workspaceId);
  const changed = await commitOnce(deps.connection, async (session) => {
    const current = await deps.rules.find(workspaceId, id, session);
    if (!current) throw refusals.ruleNotFound();
    requireUnchanged({ ...current, changedAt: current.date_updated });
    const { plan, ...rule } = current;
    const key = keyAfter(rule.key, changes.key, () => refusals.keyGiven({ field: 'key' }));
    const now = deps.clock.now();
    const changed = { ...rule, ...changes, key, date_updated: now };
    // What is said as it stands is no change: a moment that has come, and waits for its run, stays.
    const keepsTime = isDeepStrictEqual(timingOf(rule), timingOf(changed));
    await deps.rules.replace(changed, keepsTime ? plan : planAfter(changed, now, zone), session);
    return changed;
  });
  await replanSchedules(deps, workspaceId, changed);
  const etag = etagOf({ id, revision: changed.revision + 1 });
  return { ...toRuleReply(changed, await usageOf(deps, changed)), etag };
}

/** What decides when a rule is due by the clock. */
const timingOf = ({ active, trigger_type, trigger_config: { schedule } }: RuleFields) => ({
  active,
  trigger_type,
  schedule,
});

/**
 * Refuses what is wrong with what is changed. What a rule mentions may have gone since it was written: that must not
 * keep anybody from switching it off, or from changing something else; to switch it on it must be sound as a whole.
 */
async function requireSound(deps: Deps, rule: Rule, changes: Partial<Rule>): Promise<void> {
  const { active, ...others } = changes;
  const changed = new Set(Object.keys(others));
  if (changed.size === 0 && active === false) return;
  if (changed.has('trigger_type')) changed.add('trigger_config');
  const isChanged = (field: string) => changed.has(field.split('.')[0]!);
  await checkRule(deps, rule, active === true ? {} : { counts: isChanged });
}
