import type { AutomationsSimulateBody, AutomationsSimulateResult, Laurel } from '@laurel/client';
import type { Body } from './kinds';
import { type Found, namesOf } from './live';
import { changesOf, type Plan, type Step } from './plan';
import { missingIn, toApi } from './references';

/** Of whom and of what is asked, and by which moment it is judged; by the present where none is named. */
export type Asked = Pick<AutomationsSimulateBody, 'client_id' | 'event' | 'now'>;

export interface Simulated {
  answer: AutomationsSimulateResult;
  /** The key of a rule that the answer names, of the files or of the workspace. */
  keyOf: (rule: { rule_id: string; draft_index?: number }) => string;
  /** Rules of the files that refer to what only apply will make, and could not be asked. */
  leftOut: { key: string; refersTo: string[] }[];
}

/**
 * What rules would do once a plan is applied: those that differ from the saved ones are asked as drafts in their place,
 * those that the files no longer name are left out. All else is as it is: a reward's new price or a tier's new
 * threshold counts only once it is applied.
 */
export async function simulatePlan(
  laurel: Laurel,
  { plan, found }: { plan: Plan; found: readonly Found[] },
  asked: Asked,
): Promise<Simulated> {
  const names = namesOf(found);
  const changed = changesOf(plan)
    .filter(({ wanted: { kind } }) => kind === 'rules')
    .map((step) => {
      const whole = wholeOf(step, found);
      return { ...step, whole, refersTo: missingIn(whole, names) };
    });
  const drafts = changed.filter(({ refersTo }) => refersTo.length === 0);
  const leaving = plan.removals.filter(
    ({ kind, action }) => kind === 'rules' && action !== 'release',
  );
  const answer = await laurel.automations.simulate({
    ...asked,
    rules: drafts.map(({ id, whole, wanted: { key, file } }) => {
      const where = `${file}: rules/${key}`;
      return {
        ...(toApi(whole, names, { where }) as Body),
        ...(id === null ? {} : { id }),
      } as never;
    }),
    ...(leaving.length === 0 ? {} : { rule_ids: remaining(found, leaving) }),
  });
  return {
    answer,
    keyOf: ({ rule_id, draft_index }) =>
      (draft_index === undefined ? undefined : drafts[draft_index]?.wanted.key) ??
      names.keyOf('rules', rule_id) ??
      rule_id,
    leftOut: changed
      .filter(({ refersTo }) => refersTo.length > 0)
      .map(({ refersTo, wanted: { key } }) => ({ key, refersTo })),
  };
}

/** A rule as it would be: what its file says, and the rest of it as it is saved. */
function wholeOf({ id, wanted: { body } }: Step, found: readonly Found[]): Body {
  const saved = id === null ? undefined : found.find((one) => one.id === id)?.body;
  const { key: _key, ...whole } = { ...saved, ...body };
  return whole;
}

function remaining(found: readonly Found[], leaving: readonly { id: string }[]): string[] {
  const gone = new Set(leaving.map(({ id }) => id));
  return found.flatMap(({ kind, id }) => (kind === 'rules' && !gone.has(id) ? [id] : []));
}

/** An answer in words, rule by rule: first what the event itself does, then what follows from that. */
export function wordsOfSimulated({ answer, keyOf, leftOut }: Simulated, isAll: boolean): string[] {
  const { matched, skipped, following, not_foretold, approximations } = answer;
  const did = ({ effects }: { effects: { summary: string }[] }): string =>
    effects.map(({ summary }) => summary).join(', ');
  return [
    ...matched.map((rule) => `✓ ${keyOf(rule)}  ${did(rule)}`),
    ...following.map(
      (rule) => `✓ ${keyOf(rule)}  over ${rule.event_type} that follows: ${did(rule)}`,
    ),
    ...(isAll ? skipped.map((rule) => `- ${keyOf(rule)}  ${rule.detail}`) : []),
    ...not_foretold.map(
      (rule) => `? ${keyOf(rule)}  may fire over ${rule.event_type}, which cannot be told before`,
    ),
    ...leftOut.map(
      ({ key, refersTo }) => `? ${key}  refers to ${refersTo.join(', ')}, which apply makes first`,
    ),
    ...approximations.map((what) => `? ${what} could only be taken as at present`),
    ...(answer.is_cut ? ['? more would follow'] : []),
    `${matched.length} ${matched.length === 1 ? 'rule fires' : 'rules fire'}, ${answer.total_points} points, ${following.length} more ${following.length === 1 ? 'follows' : 'follow'}, ${skipped.length} would not fire`,
  ];
}
