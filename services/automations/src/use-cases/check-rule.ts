import { invalidPayload, type Problem, Refusal } from '@laurel/errors';
import type { Deps } from '../deps';
import { complaintAboutName } from '../domain/client-value';
import { FORMULAS_LENGTH_MAX, formulasOf, type Rule } from '../domain/rule';
import { configProblems } from '../domain/trigger-config';
import { scheduleProblem } from '../outside/schedule';

type CheckDeps = Pick<
  Deps,
  'clock' | 'formulas' | 'integrations' | 'ledger' | 'rewards' | 'segments' | 'templates' | 'tiers'
>;
/** An id or name that a rule mentions, and where. */
interface Mention {
  field: string;
  id: string;
}

/**
 * Refuses a rule that could never do what it says, with every reason: formulas that do not compile,
 * wallet types, rewards, webhooks, tiers, templates and segments that the workspace does
 * not have (part 1, Automation rule), and fields of clients that no rule writes.
 *
 * @param counts of a rule that is there already: which fields are looked at
 * @param within the member of a body that the rule stands in, for the fields of the complaints
 */
export async function checkRule(
  deps: CheckDeps,
  rule: Rule,
  { counts = () => true, within }: { counts?: (field: string) => boolean; within?: string } = {},
): Promise<void> {
  const codes = await walletCodes(deps, rule.workspace_id);
  const found = await Promise.all([
    ...formProblems(rule, deps.clock.now()),
    ...formulaProblems(deps, rule, codes),
    ...lengthProblems(rule, counts),
    ...walletProblems(rule, codes),
    ...fieldProblems(rule),
    rewardProblems(deps, rule),
    webhookProblems(deps, rule),
    tierProblems(deps, rule),
    segmentProblems(deps, rule),
    templateProblems(deps, rule),
  ]);
  const problems = found.flat().filter(({ field }) => field === undefined || counts(field));
  if (problems.length === 0) return;
  throw invalidPayload(
    within === undefined
      ? problems
      : problems.map((problem) => ({ ...problem, field: `${within}.${problem.field}` })),
  );
}

/** The wallet types that formulas of a workspace may name. */
export async function walletCodes(
  { ledger }: Pick<Deps, 'ledger'>,
  workspaceId: string,
): Promise<string[]> {
  const { wallet_types } = await ledger.ListWalletTypes({ workspace_id: workspaceId });
  return wallet_types.map(({ code }) => code);
}

function formProblems(rule: Rule, now: Date): Problem[] {
  const { trigger_type, trigger_config: config, activity_window: window } = rule;
  const problems: Problem[] = [];
  if (trigger_type === 'time_based') {
    const found = config.schedule
      ? scheduleProblem(config.schedule, now)
      : { part: null, complaint: 'is needed by a time_based rule: { cron, timezone }' };
    const field = ['trigger_config.schedule', found?.part ?? []].flat().join('.');
    if (found) problems.push({ field, message: `${field} ${found.complaint}` });
  }
  for (const { path, complaint } of configProblems(trigger_type, config)) {
    const field = `trigger_config.${path}`;
    problems.push({ field, message: `${field} ${complaint}` });
  }
  if (
    window.start_date &&
    window.end_date &&
    new Date(window.start_date) >= new Date(window.end_date)
  )
    problems.push({
      field: 'activity_window.end_date',
      message: 'activity_window.end_date must be after start_date',
    });
  return problems;
}

function formulaProblems({ formulas }: CheckDeps, rule: Rule, codes: readonly string[]): Problem[] {
  return formulasOf(rule).flatMap(({ field, expression, expected }) => {
    const verdict = formulas.check(expression, codes, expected);
    if (verdict.valid) return [];
    const { message, position } = verdict.error;
    return [
      { field, message: `${field}: ${message} at position ${position}`, extensions: { position } },
    ];
  });
}

/** Said of the last formula that is looked at: of those that are too long together none is wrong by itself. */
function lengthProblems(rule: Rule, counts: (field: string) => boolean): Problem[] {
  const found = formulasOf(rule);
  const length = found.reduce((sum, { expression }) => sum + expression.length, 0);
  if (length <= FORMULAS_LENGTH_MAX) return [];
  const changed = found.filter(({ field }) => counts(field));
  return changed.slice(-1).map(({ field }) => ({
    field,
    message: `${field}: the formulas of a rule must be at most ${FORMULAS_LENGTH_MAX} characters long together`,
  }));
}

function walletProblems(rule: Rule, codes: readonly string[]): Problem[] {
  const mentions = mentionsIn(rule, (part) =>
    'wallet_type_code' in part && part.wallet_type_code !== undefined
      ? ['wallet_type_code', part.wallet_type_code]
      : null,
  );
  return unknown(mentions, (code) => !codes.includes(code), 'wallet type');
}

async function rewardProblems({ rewards }: CheckDeps, rule: Rule): Promise<Problem[]> {
  const mentions = mentionsIn(rule, (part) =>
    part.type === 'give_reward' ? ['reward_id', part.reward_id] : null,
  );
  if (mentions.length === 0) return [];
  const request = { workspace_id: rule.workspace_id, ids: mentions.map(({ id }) => id) };
  const known = new Set((await rewards.GetRewards(request)).rewards.map(({ id }) => id));
  return unknown(mentions, (id) => !known.has(id), 'reward');
}

async function webhookProblems({ integrations }: CheckDeps, rule: Rule): Promise<Problem[]> {
  const mentions = mentionsIn(rule, (part) =>
    part.type === 'call_webhook' ? ['webhook_id', part.webhook_id] : null,
  );
  const missing = new Set<string>();
  for (const { id } of mentions) {
    try {
      await integrations.GetWebhook({ workspace_id: rule.workspace_id, id });
    } catch (error) {
      if (!(error instanceof Refusal) || error.httpStatus !== 404) throw error;
      missing.add(id);
    }
  }
  return unknown(mentions, (id) => missing.has(id), 'webhook');
}

async function tierProblems({ tiers }: CheckDeps, rule: Rule): Promise<Problem[]> {
  const mentions = mentionsIn(rule, (part) =>
    'tier_id' in part && part.tier_id !== undefined ? ['tier_id', part.tier_id] : null,
  );
  if (mentions.length === 0) return [];
  const request = { workspace_id: rule.workspace_id, ids: mentions.map(({ id }) => id) };
  const kinds = new Map(
    (await tiers.GetTiers(request)).tiers.map(({ id, kind }) => [id, kind] as const),
  );
  const assigned = mentionsIn(rule, (part) =>
    part.type === 'assign_tier' ? ['tier_id', part.tier_id] : null,
  );
  return [
    ...unknown(mentions, (id) => !kinds.has(id), 'tier'),
    ...assigned
      .filter(({ id }) => kinds.has(id) && kinds.get(id) !== 'exclusive')
      .map(({ field }) => ({ field, message: `${field} must be an exclusive tier` })),
  ];
}

async function segmentProblems({ segments }: CheckDeps, rule: Rule): Promise<Problem[]> {
  const mentions = mentionsIn(rule, (part) =>
    part.type === 'segment' ? ['segment_id', part.segment_id] : null,
  );
  if (mentions.length === 0) return [];
  const ids = mentions.map(({ id }) => id);
  const missing = await segments.unknownAmong(rule.workspace_id, ids);
  return unknown(mentions, (id) => missing.includes(id), 'segment');
}

async function templateProblems({ templates }: CheckDeps, rule: Rule): Promise<Problem[]> {
  const mentions = mentionsIn(rule, (part) =>
    part.type === 'switch_template' ? ['template_id', part.template_id] : null,
  );
  if (mentions.length === 0) return [];
  const ids = mentions.map(({ id }) => id);
  const missing = await templates.unknownAmong(rule.workspace_id, ids);
  return unknown(mentions, (id) => missing.includes(id), 'pass template');
}

function fieldProblems(rule: Rule): Problem[] {
  const mentions = mentionsIn(rule, (part) =>
    part.type === 'update_client_field' ? ['field_name', part.field_name] : null,
  );
  return mentions.flatMap(({ field, id }) => {
    const complaint = complaintAboutName(id);
    return complaint === null ? [] : [{ field, message: `${field} ${complaint}` }];
  });
}

type Part = Rule['conditions'][number] | Rule['effects'][number];

function mentionsIn(
  rule: Rule,
  mentioned: (part: Part) => [member: string, id: string] | null,
): Mention[] {
  const within = (list: readonly Part[], name: string) =>
    list.flatMap((part, index) => {
      const found = mentioned(part);
      return found ? [{ field: `${name}.${index}.${found[0]}`, id: found[1] }] : [];
    });
  return [...within(rule.conditions, 'conditions'), ...within(rule.effects, 'effects')];
}

function unknown(
  mentions: readonly Mention[],
  isUnknown: (id: string) => boolean,
  what: string,
): Problem[] {
  return mentions
    .filter(({ id }) => isUnknown(id))
    .map(({ field }) => ({
      field,
      message: `${field}: there is no such ${what} in the workspace`,
    }));
}
