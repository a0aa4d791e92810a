import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { consequenceOf } from '../domain/consequences';
import { isWithinWindow, type Rule } from '../domain/rule';
import { matches, type Trigger, trigger } from '../domain/trigger';
import { DEPTH_MAX } from './fire-rules';
import { type Answer, type Course, judgeRule, type Match } from './judge-rule';

/** Of events beyond so many nobody is told what would come of them. */
const EVENTS_MAX = 50;

/** An event that would come of a simulated one, and the rules that would have led to it. */
export interface Happening {
  happened: Trigger;
  chain: readonly Rule[];
}

/** A rule that would fire over such an event. */
export interface Followed {
  answer: Extract<Answer, Match>;
  happening: Happening;
}

/**
 * Lets rules be judged on what others would do, in the order in which it would be told: as `fire-rules.ts` does, no rule
 * within its own chain, and no event deeper than chains go.
 */
export async function followConsequences(
  deps: Deps,
  { rules, first }: { rules: readonly Rule[]; first: readonly Happening[] },
  course: Course,
): Promise<{ followed: Followed[]; isCut: boolean }> {
  const followed: Followed[] = [];
  const waiting = [...first];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen === EVENTS_MAX) return { followed, isCut: true };
    const happening = waiting.shift()!;
    const { happened, chain } = happening;
    if (chain.length >= DEPTH_MAX) continue;
    for (const rule of rules.filter((each) => asksFor(each, happening))) {
      const answer = await judgeRule(deps, { rule, happened }, course);
      if (!('foreseen' in answer)) continue;
      followed.push({ answer, happening });
      waiting.push(...happeningsOf(answer, chain));
    }
  }
  return { followed, isCut: false };
}

const asksFor = (rule: Rule, { happened, chain }: Happening): boolean =>
  rule.active &&
  !chain.includes(rule) &&
  matches(rule, happened) &&
  isWithinWindow(rule, happened.at);

/** What the effects of a rule would be told as, for other rules to hear. */
export function happeningsOf(
  { rule, happened, before, foreseen }: Match,
  chain: readonly Rule[],
): Happening[] {
  return foreseen.effects.flatMap((effect, index) => {
    const around = { before: foreseen.states[index - 1] ?? before, after: foreseen.states[index]! };
    const told = consequenceOf(effect, around, happened);
    if (!told) return [];
    const origin = { eventId: newId(), clientId: happened.clientId, at: before.now };
    const follows = happened.follows ?? happened;
    const event = trigger({ ...told, ...origin, isSynthetic: true, follows });
    return [{ happened: event, chain: [...chain, rule] }];
  });
}
