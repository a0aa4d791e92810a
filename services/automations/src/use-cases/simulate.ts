import { invalidPayload } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import { toDecimal, toUnits, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { withMoved } from '../domain/foreseen';
import { type PlannedEffect, summaryOf } from '../domain/plan';
import type { Rule } from '../domain/rule';
import { addCapped } from '../domain/usage';
import { refusals } from '../refusals';
import { askingNeighbours } from './ask-neighbours';
import { type Followed, followConsequences, happeningsOf } from './follow-consequences';
import { foreseeRefund } from './foresee-refund';
import { gatherFacts } from './gather-facts';
import { type Answer, type Course, judgeRule, type Match } from './judge-rule';
import { syntheticTrigger } from './synthetic-trigger';

/**
 * What the rules would do about a synthetic event, as things stand, one after the other: each sees what the ones before
 * it would change. Then what would follow from that, by rules that ask for what the first would do. Nothing is executed
 * or written.
 */
export async function simulate(deps: Deps, request: api.SimulateRequest): Promise<api.Simulation> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const [rules, found, around] = await Promise.all([
    rulesAsked(deps, request),
    gatherFacts(deps, { workspaceId, clientId }),
    surroundings(deps, workspaceId),
  ]);
  if (!found) throw refusals.unknownClient({ field: 'client_id' });
  const refund = await foreseeRefund(deps, request);
  const course: Course = {
    around,
    askAbout: askingNeighbours(deps, { workspaceId, clientId }),
    facts: withMoved(found, [...(refund?.taken ?? []), ...(request.also?.moved ?? [])]),
    used: new Map(),
  };
  const made = (event: api.SyntheticEvent) => syntheticTrigger(clientId, event, deps.clock.now());
  const happened = made(request.event!);
  const answers: Answer[] = [];
  for (const rule of rules) answers.push(await judgeRule(deps, { rule, happened }, course));
  const matches = answers.flatMap((answer) => ('foreseen' in answer ? [answer] : []));
  const first = [
    ...(request.also?.events ?? []).map((event) => ({ happened: made(event), chain: [] })),
    ...matches.flatMap((match) => happeningsOf(match, [])),
  ];
  const { followed, isCut } = await followConsequences(deps, { rules, first }, course);
  const matched = matches.map(toMatch);
  return {
    matched,
    skipped: answers.flatMap((answer) => ('reason' in answer ? [toSkip(answer)] : [])),
    total_points: toDecimal(
      matched.reduce((total, { points }) => addCapped(total, toUnits(points)), ZERO),
    ),
    following: followed.map(toFollowing),
    is_cut: isCut,
    ...(refund ? { refund } : {}),
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
): Promise<Course['around']> {
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

function toSkip({
  rule,
  reason,
  detail,
  conditions,
}: Exclude<Answer, Match>): api.Simulation['skipped'][number] {
  return { rule_id: rule.id, name: rule.name, reason, detail, conditions };
}

function toFollowing({ answer, happening: { happened, chain } }: Followed): api.FollowingRule {
  return {
    rule: toMatch(answer),
    trigger_type: happened.type,
    event_type: happened.eventType,
    caused_by_rule_id: chain.at(-1)?.id ?? null,
  };
}

function toMatch({ rule, plan, foreseen, conditions }: Extract<Answer, Match>): api.MatchedRule {
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
