import { toDecimal, toUnits, type Units, ZERO } from '@laurel/amount';
import type { SkipReason } from '@laurel/contract';
import { invalidPayload } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type JudgedCondition, judgeConditions } from '../domain/conditions';
import type { Facts } from '../domain/facts';
import { type Foreseen, foresee, questionsAbout, type Surroundings } from '../domain/foreseen';
import type { RuleOccasion } from '../domain/history';
import { type PlannedEffect, summaryOf } from '../domain/plan';
import { isWithinWindow, type Rule, zoneOf } from '../domain/rule';
import { mismatchOf, type Trigger } from '../domain/trigger';
import { addCapped, limitPassed } from '../domain/usage';
import { refusals } from '../refusals';
import { askingNeighbours } from './ask-neighbours';
import { considerRule } from './consider-rule';
import { executionsWithin } from './decide-execution';
import { gatherFacts, situationOf } from './gather-facts';
import { syntheticTrigger } from './synthetic-trigger';

type Outcome =
  | { rule: Rule; plan: PlannedEffect[]; foreseen: Foreseen }
  | { rule: Rule; reason: SkipReason; detail: string };
type Answer = Outcome & { conditions: JudgedCondition[] };

/** What rules of one simulation are judged in. */
interface Setting {
  around: Omit<Surroundings, 'refused'>;
  askAbout: ReturnType<typeof askingNeighbours>;
}

/**
 * What the rules would do about a synthetic event, as things stand, one after the other: each sees what the ones before
 * it would change. Nothing is executed or written.
 */
export async function simulate(deps: Deps, request: api.SimulateRequest): Promise<api.Simulation> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const [rules, found, around] = await Promise.all([
    rulesAsked(deps, request),
    gatherFacts(deps, { workspaceId, clientId }),
    surroundings(deps, workspaceId),
  ]);
  if (!found) throw refusals.unknownClient({ field: 'client_id' });
  const happened = syntheticTrigger(clientId, request.event!, deps.clock.now());
  const setting = { around, askAbout: askingNeighbours(deps, { workspaceId, clientId }) };
  const answers: Answer[] = [];
  let facts = found;
  for (const rule of rules) {
    const [outcome, situation] = await Promise.all([
      judge(deps, { rule, happened }, { facts, setting }),
      situationOf(deps, { rule, happened }, { facts }),
    ]);
    const answer = { ...outcome, conditions: judgeConditions(rule, situation) };
    if ('foreseen' in answer) facts = answer.foreseen.facts;
    answers.push(answer);
  }
  const matched = answers.flatMap((answer) => ('foreseen' in answer ? [toMatch(answer)] : []));
  const skipped = answers.flatMap((answer) => ('reason' in answer ? [answer] : []));
  return {
    matched,
    skipped: skipped.map(({ rule, reason, detail, conditions }) => ({
      rule_id: rule.id,
      name: rule.name,
      reason,
      detail,
      conditions,
    })),
    total_points: toDecimal(
      matched.reduce((total, { points }) => addCapped(total, toUnits(points)), ZERO),
    ),
  };
}

/** The rules that are asked about, all where none are named, in the order in which they run. */
async function rulesAsked(
  { rules }: Pick<Deps, 'rules'>,
  { workspace_id: workspaceId, rule_ids: asked }: api.SimulateRequest,
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

async function surroundings(
  { ledger, tiers }: Pick<Deps, 'ledger' | 'tiers'>,
  workspaceId: string,
): Promise<Setting['around']> {
  const workspace = { workspace_id: workspaceId };
  const [{ wallet_types }, all] = await Promise.all([
    ledger.ListWalletTypes(workspace),
    tiers.ListTiers(workspace),
  ]);
  return {
    walletTypes: new Map(
      wallet_types.map(({ code, active, pending_days, allow_negative_balance, max_balance }) => [
        code,
        {
          active,
          pendingDays: pending_days ?? null,
          allowsNegative: allow_negative_balance,
          maxBalance: max_balance ?? null,
        },
      ]),
    ),
    tiers: all.tiers,
  };
}

async function judge(
  deps: Deps,
  { rule, happened }: RuleOccasion,
  { facts, setting }: { facts: Facts; setting: Setting },
): Promise<Outcome> {
  const skip = (reason: SkipReason, detail: string): Outcome => ({ rule, reason, detail });
  if (!rule.active) return skip('inactive', 'the rule is switched off');
  if (!isWithinWindow(rule, happened.at))
    return skip('outside_window', 'the event is outside of the activity window');
  const mismatch = mismatchOf(rule, happened);
  if (mismatch !== null) return skip('trigger_mismatch', mismatch);
  const verdict = await considerRule(deps, { rule, happened }, { facts });
  if ('unmet' in verdict) return skip('condition_failed', verdict.unmet);
  if ('failure' in verdict)
    return skip('condition_failed', `the rule would fail: ${verdict.failure}`);
  const { effects, points } = verdict.plan;
  const limit = await limitReached(deps, rule, { happened, facts, points });
  if (limit) return skip('limit_reached', `${limit} is used up`);
  const refused = await setting.askAbout(questionsAbout(facts, effects));
  const foreseen = foresee(facts, effects, { ...setting.around, refused });
  return { rule, plan: effects, foreseen };
}

async function limitReached(
  deps: Deps,
  rule: Rule,
  { happened, facts, points }: { happened: Trigger; facts: Facts; points: Units },
) {
  const { clientId } = happened;
  const key = { workspaceId: rule.workspace_id, ruleId: rule.id, clientId };
  const timeZone = zoneOf(rule, facts.timeZone);
  const used = await deps.usages.find(key);
  const when = { ...key, limits: rule.limits, at: facts.now, timeZone };
  const recent = await executionsWithin(deps, when);
  return limitPassed(rule.limits, { ...used, recent }, points);
}

function toMatch({
  rule,
  plan,
  foreseen,
  conditions,
}: Extract<Answer, { plan: unknown }>): api.MatchedRule {
  const { effects, refusal } = foreseen;
  const refused = plan[effects.length];
  const earned = effects.flatMap((effect) =>
    effect.type === 'earn_points' ? [toUnits(effect.points)] : [],
  );
  return {
    rule_id: rule.id,
    name: rule.name,
    priority: rule.priority,
    effects: [
      ...effects.map(toEffectReply),
      ...(refused && refusal !== null ? [{ type: refused.type, summary: refusal }] : []),
    ],
    points: toDecimal(earned.reduce(addCapped, ZERO)),
    conditions,
  };
}

function toEffectReply(effect: PlannedEffect): api.PlannedEffect {
  const { type } = effect;
  return {
    type,
    summary: summaryOf(effect),
    ...(type === 'earn_points' ? { points: toDecimal(toUnits(effect.points)) } : {}),
    ...(type === 'deduct_points' ? { points: -effect.amount } : {}),
    ...('wallet_type_code' in effect ? { wallet_type_code: effect.wallet_type_code } : {}),
    ...('reward_id' in effect ? { reward_id: effect.reward_id } : {}),
    ...('tier_id' in effect && effect.tier_id !== null ? { tier_id: effect.tier_id } : {}),
  };
}
