import { invalidPayload, Refusal } from '@laurel/errors';
import { newId, runInContext, takingBack } from '@laurel/lifecycle';
import type { automations as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Rule } from '../domain/rule';
import { checkRule } from './check-rule';
import { createRule } from './create-rule';
import { deleteRule } from './delete-rule';
import { updateRule } from './update-rule';

/**
 * `createRule`, and a second look once the rule is there: a deletion of what it names asks for rules as the last thing
 * before the commit, so that either finds the other (docs/adr/0015). A rule that came too late is taken back.
 */
export async function createLastingRule(
  deps: Deps,
  request: api.CreateRuleRequest,
): Promise<api.Rule> {
  const startedAt = deps.clock.now();
  const rule = await createRule(deps, request);
  await lookAgain(deps, rule, { startedAt, counts: () => true, takeBack: deleteRule });
  return rule;
}

/** `updateRule`, and the same second look at what it changed; a rule that came too late is switched off. */
export async function updateLastingRule(
  deps: Deps,
  request: api.UpdateRuleRequest,
): Promise<api.Rule> {
  const startedAt = deps.clock.now();
  const rule = await updateRule(deps, request);
  const { active, ...others } = request.fields ?? {};
  const counts = (field: string) => active === true || field.split('.')[0]! in others;
  await lookAgain(deps, rule, { startedAt, counts, takeBack: switchOff });
  return rule;
}

interface SecondLook {
  startedAt: Date;
  /** Which problems are of what was written. */
  counts: (field: string) => boolean;
  takeBack: (deps: Deps, row: common.Id) => Promise<unknown>;
}

async function lookAgain(
  deps: Deps,
  written: api.Rule,
  { startedAt, counts, takeBack }: SecondLook,
): Promise<void> {
  // The reply to an earlier try says nothing of what is there now.
  if (!written.active || new Date(written.date_updated) < startedAt) return;
  const row = { workspace_id: written.workspace_id, id: written.id };
  const rule = await deps.rules.find(row.workspace_id, row.id);
  const problems = rule?.active ? await problemsOf(deps, rule, counts) : [];
  if (problems.length === 0) return;
  await runInContext(takingBack(newId()), () => takeBack(deps, row));
  throw invalidPayload(problems);
}

async function problemsOf(deps: Deps, rule: Rule, counts: SecondLook['counts']) {
  try {
    await checkRule(deps, rule, { counts });
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 400) return error.problems;
    // The rule is written: a caller who hears otherwise makes it twice.
    deps.logger.warn({ err: error, rule: rule.id }, 'a new rule was not looked at again');
    return [];
  }
}

const switchOff = (deps: Deps, row: common.Id) =>
  updateRule(deps, { ...row, fields: { active: false } });
