import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Effort, newEffort, takenOf } from '@laurel/cel';
import type { SkipReason } from '@laurel/contract';
import type { Units } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type JudgedCondition, judgeConditions, type Situation } from '../domain/conditions';
import { type Facts, whyNotFor } from '../domain/facts';
import { type Foreseen, foresee, questionsAbout, type Surroundings } from '../domain/foreseen';
import type { RuleOccasion } from '../domain/history';
import { awardedBy, doesNothing, type PlannedEffect } from '../domain/plan';
import { isWithinWindow, type Rule, zoneOf } from '../domain/rule';
import { mismatchOf, type Trigger } from '../domain/trigger';
import { addCapped, limitPassed, NO_USAGE, type Usage } from '../domain/usage';
import type { askingNeighbours } from './ask-neighbours';
import { considerIn } from './consider-rule';
import { noteAssignments, type TierTrail, tierWhenFreed } from './foresee-moves';
import { situationOf } from './gather-facts';
import { executionsWithin } from './keep-limits';

const TOO_MUCH =
  'the formulas of the rules before take too long with these values: name fewer rules, or give smaller values';

export interface Match {
  rule: Rule;
  happened: Trigger;
  plan: PlannedEffect[];
  /** How things would stand before its effects. */
  before: Facts;
  foreseen: Foreseen;
}
interface Skip {
  rule: Rule;
  reason: SkipReason;
  detail: string;
}
type Outcome = Match | Skip;
/** Without conditions where they were not asked. */
export type Answer = Outcome & { conditions: JudgedCondition[] };

/** A simulation on its way: what rules are judged in, and what the ones before have changed. */
export interface Course {
  around: Omit<Surroundings, 'refused' | 'freed'>;
  askAbout: ReturnType<typeof askingNeighbours>;
  facts: Facts;
  /** What rules would have used up of their limits, by rule. */
  used: Map<string, Usage>;
  trail: TierTrail;
  /** What is left of what the formulas of all rules may take, */
  effort: Effort;
  /** and of what looking at conditions may that no rule comes to. */
  looks: Effort;
}

/**
 * What a rule would do as things stand by then; what it would change is seen by whatever is judged after it. Others have
 * their turn between two rules. Rules for which the simulation has taken too much already are skipped. Conditions that the
 * rule did not come to are looked at for the answer alone, as far as there is room for that.
 */
export async function judgeRule(
  deps: Deps,
  occasion: RuleOccasion,
  course: Course,
): Promise<Answer> {
  await othersFirst();
  const unasked = whyUnasked(occasion, course);
  if (unasked && (isUsedUp(course) || course.looks.left <= 0))
    return { ...unasked, conditions: [] };
  const effort = newEffort();
  const situation = await situationOf(deps, occasion, { facts: course.facts, effort });
  const outcome = unasked ?? (await judge(deps, occasion, { course, situation }));
  if ('foreseen' in outcome) course.facts = outcome.foreseen.facts;
  course.effort.left -= takenOf(effort);
  return { ...outcome, conditions: lookAtConditions(occasion.rule, situation, { course, effort }) };
}

/** What was found of each condition; where there is no room for more looks, up to the first that does not hold. */
function lookAtConditions(
  rule: Rule,
  situation: Situation,
  { course, effort }: { course: Course; effort: Effort },
): JudgedCondition[] {
  const { looks } = course;
  const isRoom = looks.left > 0;
  effort.left = isRoom ? newEffort().left : 0;
  const found = judgeConditions(rule, situation);
  if (!isRoom) return found.slice(0, found.findIndex(({ holds }) => !holds) + 1 || found.length);
  looks.left -= takenOf(effort);
  return found;
}

/** Whether the formulas of a simulation have taken what they may together. */
export const isUsedUp = ({ effort }: Course): boolean => effort.left <= 0;

/** Why a rule is not judged by its conditions; null where it is. */
function whyUnasked({ rule, happened }: RuleOccasion, course: Course): Skip | null {
  const skip = (reason: SkipReason, detail: string): Skip => ({ rule, reason, detail });
  if (!rule.active) return skip('inactive', 'the rule is switched off');
  if (!isWithinWindow(rule, happened.at))
    return skip('outside_window', 'the event is outside of the activity window');
  const mismatch = mismatchOf(rule, happened);
  if (mismatch !== null) return skip('trigger_mismatch', mismatch);
  const unfit = whyNotFor(course.facts, happened);
  if (unfit !== null) return skip('condition_failed', unfit);
  return isUsedUp(course) ? skip('condition_failed', TOO_MUCH) : null;
}

async function judge(
  deps: Deps,
  { rule, happened }: RuleOccasion,
  { course, situation }: { course: Course; situation: Situation },
): Promise<Outcome> {
  const { facts } = course;
  const skip = (reason: SkipReason, detail: string): Skip => ({ rule, reason, detail });
  const verdict = considerIn(rule, situation);
  if ('unmet' in verdict) return skip('condition_failed', verdict.unmet);
  if ('failure' in verdict)
    return skip('condition_failed', `the rule would fail: ${verdict.failure}`);
  const { effects, points } = verdict.plan;
  const limit = await limitReached(deps, { rule, happened }, { course, points });
  if (limit) return skip('limit_reached', `${limit} is used up`);
  const [refused, freed] = await Promise.all([
    course.askAbout(questionsAbout(facts, effects)),
    effects.some(({ type }) => type === 'remove_tier') ? tierWhenFreed(deps, course) : null,
  ]);
  const foreseen = foresee(facts, effects, { ...course.around, refused, freed });
  noteAssignments(course.trail, foreseen.effects);
  course.used.set(rule.id, withForeseen(usedOf(course, rule), foreseen));
  return { rule, happened, plan: effects, before: facts, foreseen };
}

const usedOf = ({ used }: Course, { id }: Rule): Usage => used.get(id) ?? NO_USAGE;

/** What fails or comes to nothing gives its place in the limits back, but not the points that it gave until then. */
function withForeseen({ points, executions }: Usage, { effects, refusal }: Foreseen): Usage {
  const isDone = refusal === null && !doesNothing({ effects });
  return {
    points: awardedBy(effects).reduce(addCapped, points),
    executions: executions + (isDone ? 1 : 0),
  };
}

async function limitReached(
  deps: Deps,
  { rule, happened }: RuleOccasion,
  { course, points }: { course: Course; points: Units },
) {
  const { facts } = course;
  const { clientId } = happened;
  const key = { workspaceId: rule.workspace_id, ruleId: rule.id, clientId };
  const timeZone = zoneOf(rule, facts.timeZone);
  const used = await deps.usages.find(key);
  const when = { ...key, limits: rule.limits, at: facts.now, timeZone, counts: 'begun' as const };
  const recent = await executionsWithin(deps, when);
  const own = usedOf(course, rule);
  const together = (usage: Usage): Usage => ({
    points: addCapped(usage.points, own.points),
    executions: usage.executions + own.executions,
  });
  const known = {
    rule: together(used.rule),
    client: together(used.client),
    recent: recent + own.executions,
  };
  return limitPassed(rule.limits, known, points);
}
