import { invalidPayload, type Problem, Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { compareRules, newRule, type Rule, type RuleFields } from '../domain/rule';
import { checkRule } from './check-rule';
import { fieldsOf } from './wire';

type NewFields = Partial<RuleFields> & Pick<RuleFields, 'name' | 'trigger_type' | 'effects'>;

/** The rules that a simulation is about, in the order in which they run, and the place of each that is not saved. */
export interface RulesAsked {
  rules: Rule[];
  drafts: ReadonlyMap<string, number>;
}

/**
 * Saved rules, all where none are named, and drafts as they would be saved: beside the others, and in the place of the
 * one whose id they bear. A draft is refused as it would be on being saved.
 */
export async function rulesAsked(
  deps: Deps,
  { workspace_id: workspaceId, rule_ids: asked, rules: given }: api.SimulateRequest,
): Promise<RulesAsked> {
  const [saved, drafts] = await Promise.all([
    savedRules(deps, workspaceId, asked),
    draftRules(deps, workspaceId, given?.items ?? []),
  ]);
  const places = new Map(drafts.map(({ id }, index) => [id, index]));
  const others = saved.filter(({ id }) => !places.has(id));
  return { rules: [...others, ...drafts].sort(compareRules), drafts: places };
}

async function savedRules(
  { rules }: Pick<Deps, 'rules'>,
  workspaceId: string,
  asked: api.SimulateRequest['rule_ids'],
): Promise<Rule[]> {
  const all = await rules.list(workspaceId);
  if (asked === undefined) return all;
  const known = new Set(all.map(({ id }) => id));
  const problems = asked.flatMap((id, index) => {
    const field = `rule_ids.${index}`;
    return known.has(id)
      ? []
      : [{ field, message: `${field}: there is no such rule in the workspace` }];
  });
  if (problems.length > 0) throw invalidPayload(problems);
  return all.filter(({ id }) => asked.includes(id));
}

async function draftRules(
  deps: Deps,
  workspaceId: string,
  given: readonly api.DraftRule[],
): Promise<Rule[]> {
  const now = deps.clock.now();
  const drafts = given.map(({ id = newId(), fields }) =>
    newRule({ id, workspaceId, now }, fieldsOf(fields) as NewFields),
  );
  const problems = await Promise.all(
    drafts.map((draft, index) => problemsOf(deps, draft, `rules.${index}`)),
  );
  if (problems.flat().length > 0) throw invalidPayload(problems.flat());
  return drafts;
}

async function problemsOf(deps: Deps, draft: Rule, within: string): Promise<readonly Problem[]> {
  try {
    await checkRule(deps, draft, { within });
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 400) return error.problems;
    throw error;
  }
}
