import { newEffort } from '@laurel/cel';
import type { SkipReason } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import { toDecimal, toUnits, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { Facts } from '../domain/facts';
import { withMoved } from '../domain/foreseen';
import { approximationsFor } from '../domain/history';
import { awardedBy, type PlannedEffect, summaryOf } from '../domain/plan';
import type { Rule } from '../domain/rule';
import { type Trigger, trigger } from '../domain/trigger';
import { type Unforetold, unforetoldRules } from '../domain/unforetold';
import { addCapped } from '../domain/usage';
import { refusals } from '../refusals';
import { askingNeighbours } from './ask-neighbours';
import { type Followed, followConsequences, happeningsOf } from './follow-consequences';
import { type Happening, movesAfter } from './foresee-moves';
import { type ForeseenReferral, foreseeReferral } from './foresee-referral';
import { foreseeRefund } from './foresee-refund';
import { gatherFacts } from './gather-facts';
import { type Answer, type Course, judgeRule, type Match } from './judge-rule';
import { type RulesAsked, rulesAsked } from './rules-asked';
import { syntheticTrigger } from './synthetic-trigger';

/** What the formulas of a simulation may take together, in times of what one may, */
const EFFORTS_MAX = 5;
/** and looks at conditions that no rule comes to. */
const LOOKS_MAX = 2;

const NOT_HEARD: readonly SkipReason[] = ['inactive', 'outside_window', 'trigger_mismatch'];

/**
 * What the rules would do about a synthetic event, as things stand, one after the other: each sees what the ones before
 * it would change. Then what would follow from that, by rules that ask for what the first would do. Nothing is executed
 * or written. With `now` all of it is judged by that moment in place of the present.
 */
export async function simulate(
  present: Deps,
  request: api.SimulateRequest,
): Promise<api.Simulation> {
  const { workspace_id: workspaceId, client_id: clientId, now } = request;
  const whom = { workspaceId, clientId, ...(now === undefined ? {} : { at: now }) };
  const deps = now === undefined ? present : { ...present, clock: { now: () => new Date(now) } };
  const [{ rules, drafts }, found, around] = await Promise.all([
    rulesAsked(present, request),
    gatherFacts(deps, whom),
    surroundings(deps, workspaceId),
  ]);
  if (!found) throw refusals.unknownClient({ field: 'client_id' });
  const refund = await foreseeRefund(deps, request);
  const course: Course = {
    around,
    askAbout: askingNeighbours(deps, whom),
    facts: withMoved(found, [...(refund?.taken ?? []), ...(request.also?.moved ?? [])]),
    used: new Map(),
    trail: { whom, thoughts: [] },
    effort: newEffort(EFFORTS_MAX),
    looks: newEffort(LOOKS_MAX),
  };
  const made = (event: api.SyntheticEvent) => syntheticTrigger(clientId, event, deps.clock.now());
  const happened = made(request.event!);
  const answers: Answer[] = [];
  for (const rule of rules) answers.push(await judgeRule(deps, { rule, happened }, course));
  const matches = answers.flatMap((answer) => ('foreseen' in answer ? [answer] : []));
  const referral = await foreseeReferral(deps, { workspaceId, happened, now: course.facts.now });
  const first: Happening[] = [
    ...(await movesAfter(deps, { happened, chain: [] }, course)),
    ...[referral?.referee ?? [], (request.also?.events ?? []).map(made)]
      .flat()
      .map((event) => ({ happened: event, chain: [] })),
    ...matches.flatMap((match) => happeningsOf(match, [])),
  ];
  const { followed, isCut } = await followConsequences(deps, { rules, first }, course);
  const done = [...matches, ...followed.map(({ answer }) => answer)];
  const untold = untoldOf({ happened, referral, done, before: found, after: course.facts });
  const matched = matches.map((match) => toMatch(match, drafts));
  return {
    matched,
    skipped: answers.flatMap((answer) => ('reason' in answer ? [toSkip(answer, drafts)] : [])),
    total_points: toDecimal(
      matched.reduce((total, { points }) => addCapped(total, toUnits(points)), ZERO),
    ),
    following: followed.map((one) => toFollowing(one, drafts)),
    is_cut: isCut,
    approximations: [
      ...new Set(now === undefined ? answers.flatMap(approximated) : rules.flatMap(approximatedAt)),
    ],
    not_foretold: unforetoldRules(rules, untold).map((one) => toUnforetold(one, drafts)),
    ...(refund ? { refund } : {}),
  };
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

/** The ledger answers balances of the moment; the rest of what a rule looks at is that of the present. */
const approximatedAt = (rule: Rule): string[] =>
  approximationsFor(rule).filter((one) => one !== 'balances');

/** Segments answer as before the event; live a rule sees what the event made of them. */
function approximated(answer: Answer): string[] {
  const isHeard = !('reason' in answer && NOT_HEARD.includes(answer.reason));
  return isHeard ? approximationsFor(answer.rule).filter((one) => one === 'segments') : [];
}

/** What would happen besides, or may, while the simulation cannot say what rules make of it. */
function untoldOf({
  happened,
  referral,
  done,
  before,
  after,
}: {
  happened: Trigger;
  referral: ForeseenReferral | null;
  done: readonly Match[];
  before: Facts;
  after: Facts;
}): Unforetold[] {
  const effects = done.flatMap(({ foreseen }) => foreseen.effects);
  const isSwitched = effects.some(({ type }) => type === 'switch_template');
  const isCardAffected = isSwitched || before.tier?.id !== after.tier?.id;
  return [
    ...(referral?.referrer
      ? [{ happened: referral.referrer, reason: 'another_client' as const }]
      : []),
    ...(isCardAffected ? [{ happened: cardChanged(happened), reason: 'cards' as const }] : []),
  ];
}

const cardChanged = ({ clientId, at }: Trigger): Trigger =>
  trigger({
    type: 'pass_lifecycle',
    eventId: newId(),
    eventType: 'template_changed',
    eventCategory: 'pass_lifecycle',
    clientId,
    at,
    isSynthetic: true,
  });

type Drafts = RulesAsked['drafts'];

function toUnforetold(
  { rule, happened, reason }: ReturnType<typeof unforetoldRules>[number],
  drafts: Drafts,
): api.UnforetoldRule {
  return {
    rule_id: rule.id,
    name: rule.name,
    trigger_type: happened.type,
    event_type: happened.eventType,
    reason,
    ...placeOf(rule, drafts),
  };
}

const placeOf = ({ id }: Rule, drafts: Drafts) =>
  drafts.has(id) ? { draft_index: drafts.get(id)! } : {};

function toSkip(
  { rule, reason, detail, conditions }: Exclude<Answer, Match>,
  drafts: Drafts,
): api.SkippedRule {
  const { id, name } = rule;
  return { rule_id: id, name, reason, detail, conditions, ...placeOf(rule, drafts) };
}

function toFollowing(
  { answer, happening: { happened, chain } }: Followed,
  drafts: Drafts,
): api.FollowingRule {
  return {
    rule: toMatch(answer, drafts),
    trigger_type: happened.type,
    event_type: happened.eventType,
    caused_by_rule_id: chain.at(-1)?.id ?? null,
  };
}

function toMatch(
  { rule, plan, foreseen, conditions }: Extract<Answer, Match>,
  drafts: Drafts,
): api.MatchedRule {
  const { effects, refusal } = foreseen;
  const refused = plan[effects.length];
  return {
    rule_id: rule.id,
    name: rule.name,
    priority: rule.priority,
    effects: [
      ...effects.map(toEffectReply),
      ...(refused && refusal !== null ? [{ type: refused.type, summary: refusal }] : []),
    ],
    points: toDecimal(awardedBy(effects).reduce(addCapped, ZERO)),
    conditions,
    ...placeOf(rule, drafts),
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
