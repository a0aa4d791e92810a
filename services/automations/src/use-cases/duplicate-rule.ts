import { copyNameOf } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import { repeatable } from '@laurel/mongo';
import type { automations as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newRule } from '../domain/rule';
import { refusals } from '../refusals';
import { addRule } from './create-rule';
import { zoneOfWorkspace } from './gather-facts';
import { planAfter } from './plan-schedules';

/** A copy of a rule, switched off: its fields without its key, and with nothing of its limits used up. */
export async function duplicateRule(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Rule> {
  return repeatable(deps.connection, async () =>
    addRule(deps, await copyOf(deps, workspaceId, id)),
  );
}

/** The copy as it is to be written, and when it is next due. */
async function copyOf(deps: Deps, workspaceId: string, id: string) {
  const [rules, zone] = await Promise.all([
    deps.rules.list(workspaceId),
    zoneOfWorkspace(deps, workspaceId),
  ]);
  const original = rules.find((rule) => rule.id === id);
  if (!original) throw refusals.ruleNotFound();
  const taken = rules.map(({ name }) => name);
  const now = deps.clock.now();
  const { name, description, priority, trigger_type, trigger_config, conditions, effects } =
    original;
  const { limits, activity_window, expiry_override } = original;
  const copy = newRule(
    { id: newId(), workspaceId, now },
    {
      name: copyNameOf(name, taken),
      active: false,
      ...{ description, priority, trigger_type, trigger_config, conditions, effects },
      ...{ limits, activity_window, expiry_override },
    },
  );
  return { rule: copy, plan: planAfter(copy, now, zone) };
}
