import type { UnforetoldReason } from '@laurel/contract';
import { isWithinWindow, type Rule } from './rule';
import { matches, type Trigger } from './trigger';

/** Something that would happen, or may, while a simulation cannot say what comes of it. */
export interface Unforetold {
  happened: Trigger;
  reason: UnforetoldReason;
}

/** Rules that would be asked about it: what they do is not among what is foretold. */
export function unforetoldRules(
  rules: readonly Rule[],
  untold: readonly Unforetold[],
): { rule: Rule; happened: Trigger; reason: UnforetoldReason }[] {
  return untold.flatMap(({ happened, reason }) =>
    rules
      .filter((rule) => rule.active && matches(rule, happened) && isWithinWindow(rule, happened.at))
      .map((rule) => ({ rule, happened, reason })),
  );
}
