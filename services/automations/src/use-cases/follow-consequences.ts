import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { consequenceOf } from '../domain/consequences';
import { isWithinWindow, type Rule } from '../domain/rule';
import { matches, trigger } from '../domain/trigger';
import { DEPTH_MAX } from './fire-rules';
import { type Happening, movesAfter } from './foresee-moves';
import { type Answer, type Course, isUsedUp, judgeRule, type Match } from './judge-rule';

/** What would come of events beyond so many stays unsaid. */
const EVENTS_MAX = 50;

/** A rule that would fire over such an event. */
export interface Followed {
  answer: Extract<Answer, Match>;
  happening: Happening;
}

/**
 * Lets rules be judged on what others would do, in the order in which it would be published: as `fire-rules.ts` does, no rule
 * within its own chain, and no event deeper than chains go. Tiers hear of each event after the rules, and what they would
 * tell of it is one more.
 */
export async function followConsequences(
  deps: Deps,
  { rules, first }: { rules: readonly Rule[]; first: readonly Happening[] },
  course: Course,
): Promise<{ followed: Followed[]; isCut: boolean }> {
  const followed: Followed[] = [];
  const waiting = [...first];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen === EVENTS_MAX || isUsedUp(course)) return { followed, isCut: true };
    const happening = waiting.shift()!;
    const { happened, chain } = happening;
    const asking = chain.length < DEPTH_MAX ? rules.filter((each) => asksFor(each, happening)) : [];
    for (const rule of asking) {
      const answer = await judgeRule(deps, { rule, happened }, course);
      if (!('foreseen' in answer)) continue;
      followed.push({ answer, happening });
      waiting.push(...happeningsOf(answer, chain));
    }
    waiting.push(...(await movesAfter(deps, happening, course)));
  }
  return { followed, isCut: isUsedUp(course) };
}

const asksFor = (rule: Rule, { happened, chain }: Happening): boolean =>
  rule.active &&
  !chain.includes(rule) &&
  matches(rule, happened) &&
  isWithinWindow(rule, happened.at);

/** What the effects of a rule would be published as, for other rules to hear. */
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
