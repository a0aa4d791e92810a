import type { AutomationsSimulateResult } from '@laurel/client';
import { limitInWords, notedInWords } from '../noted';
import type { Effect, RuleBody } from './body';
import { type Telling, tellCondition, tellEffect } from './sentence';

type Foreseen = AutomationsSimulateResult['matched'][number]['effects'][number];
type Skipped = AutomationsSimulateResult['skipped'][number];

const REFUSED = /would be refused: (.+)$/s;

/** Whether the service that does it would say no. */
export const isRefused = ({ summary }: Foreseen): boolean => REFUSED.test(summary);

/**
 * What an effect would do, in the reader's words: its summary is for programs.
 *
 * @param written the effect as the rule has it, where that is known
 */
export function tellForeseen(telling: Telling, foreseen: Foreseen, written?: Effect): string {
  const { say, knows } = telling;
  const { type, summary, points, wallet_type_code: code = '', reward_id, tier_id } = foreseen;
  const kind = `then.kind.${type}`;
  const what = knows(kind) ? say(kind) : summary;
  const [, reason] = REFUSED.exec(summary) ?? [];
  if (reason !== undefined) return say('try.refused', { what, why: notedInWords(telling, reason) });
  const [, text] = /^send "(.*)"$/s.exec(summary) ?? [];
  const [, field_name, value] = /^set (\S+) to (.+)$/s.exec(summary) ?? [];
  const done = {
    earn_points: {
      type: 'earn_points',
      wallet_type_code: code,
      amount_type: 'fixed',
      amount: points,
    },
    deduct_points: { type: 'deduct_points', wallet_type_code: code, amount: -(points ?? 0) },
    give_reward: reward_id && { type: 'give_reward', reward_id },
    assign_tier: tier_id && { type: 'assign_tier', tier_id },
    remove_tier: { type: 'remove_tier' },
    send_push: text !== undefined && { type: 'send_push', body: text },
    update_client_field: value && {
      type: 'update_client_field',
      field_name,
      value_expression: value,
    },
  }[type as string] as Effect | undefined;
  const own = written?.type === type ? written : undefined;
  // What the answer leaves out, such as for how many days, stands in the rule.
  if (done) return tellEffect(telling, { ...own, ...done } as Effect);
  return own ? tellEffect(telling, own) : what;
}

/** Why a rule would not run, nearer than its reason; null where that says it all. */
export function tellSkipped(
  telling: Telling,
  { reason, detail, conditions }: Skipped,
  rule: RuleBody,
): string | null {
  const { say, knows, format } = telling;
  if (reason === 'trigger_mismatch') {
    const key = `try.mismatch.${detail}`;
    return knows(key) ? say(key) : null;
  }
  if (reason === 'limit_reached') return limitInWords(say, detail.replace(/ is used up$/, ''));
  if (reason !== 'condition_failed') return null;
  const [, failure] = /^the rule would fail: (.+)$/s.exec(detail) ?? [];
  if (failure !== undefined) return notedInWords(telling, failure);
  // What is none of its conditions' doing is said where they are not asked.
  if (conditions.length === 0) return notedInWords(telling, detail);
  const failed = conditions.find(({ holds }) => !holds);
  const condition = failed && rule.conditions?.[failed.index];
  if (!condition) return null;
  const told = { condition: tellCondition(telling, condition) };
  return typeof failed.actual === 'number'
    ? say('try.conditionIs', { ...told, actual: format.number(failed.actual) })
    : say('try.condition', told);
}

/** Something that happens as a rule asks for it, for as far as the rule says it. */
export function happeningFor(rule: RuleBody) {
  const { trigger_type, trigger_config: config = {} } = rule;
  const { role, value } = config;
  return {
    trigger_type,
    event_type: config.event_types?.[0] ?? EVENT[trigger_type],
    ...(trigger_type === 'field_change'
      ? { field_name: config.field_names?.[0] ?? null, ...VALUES[config.change_direction ?? 'any'] }
      : {}),
    ...(config.change_direction === 'to_value' ? { new_value: String(value) } : {}),
    ...(role && role !== 'any' ? { role } : {}),
  };
}

const EVENT: Readonly<Record<RuleBody['trigger_type'], string>> = {
  transaction: 'purchase',
  custom_event: 'visit',
  field_change: 'field_updated',
  pass_lifecycle: 'pass_installed',
  loyalty: 'points_earned',
  referral: 'referral_completed',
  time_based: 'schedule',
};

/** A change that goes the way that is asked for. */
const VALUES = {
  any: {},
  to_value: {},
  increase: { old_value: '0', new_value: '1' },
  decrease: { old_value: '1', new_value: '0' },
};
