import type { Json } from '@laurel/errors';
import {
  AMOUNT_MAX,
  AmountRangeError,
  add,
  DECIMAL_PLACES_MAX,
  toDecimal,
  toUnits,
  type Units,
  ZERO,
} from '@laurel/values/amount';
import { complaintAboutValue } from './client-value';
import type { Evaluate } from './conditions';
import type { Effect, Rule } from './rule';

/** An effect with everything decided that depends on the moment, so that running it again does the same. */
export type PlannedEffect =
  | {
      type: 'earn_points';
      wallet_type_code: string;
      points: number;
      expiry_days: number | null;
      pending_days: number | null;
    }
  | { type: 'deduct_points'; wallet_type_code: string; amount: number }
  | { type: 'give_reward'; reward_id: string }
  | { type: 'update_client_field'; field_name: string; value: Json }
  | { type: 'send_push'; title: string | null; body: string }
  | { type: 'call_webhook'; webhook_id: string }
  | { type: 'assign_tier'; tier_id: string; duration_days: number | null }
  | { type: 'remove_tier'; tier_id: string | null }
  | { type: 'switch_template'; template_id: string; duration_days: number | null };

export interface Plan {
  effects: PlannedEffect[];
  /** What all of it would award; budgets count these. */
  points: Units;
}

/** Thrown when a formula gives what an effect cannot use. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Decides what a rule that matched will do. Formulas that fail throw, and so does one whose value is of no use. */
export function planEffects(
  rule: Pick<Rule, 'effects' | 'expiry_override'>,
  evaluate: Evaluate,
): Plan {
  const effects = rule.effects.map((effect) => planned(effect, rule, evaluate));
  return { effects, points: sumOf(awardedBy(effects)) };
}

/** The points of each effect that gives some. */
export function awardedBy(effects: readonly PlannedEffect[]): Units[] {
  return effects.flatMap((effect) =>
    effect.type === 'earn_points' ? [toUnits(effect.points)] : [],
  );
}

/** Whether nothing would come of a plan: an execution whose effects are all left out is skipped. */
export function doesNothing({ effects }: Pick<Plan, 'effects'>): boolean {
  return effects.every((effect) => effect.type === 'earn_points' && effect.points === 0);
}

function sumOf(points: readonly Units[]): Units {
  try {
    return add(ZERO, ...points);
  } catch (error) {
    if (!(error instanceof AmountRangeError)) throw error;
    throw new Unusable(`the effects together award more than ${AMOUNT_MAX} points`);
  }
}

function planned(
  effect: Effect,
  { expiry_override: override }: Pick<Rule, 'expiry_override'>,
  evaluate: Evaluate,
): PlannedEffect {
  switch (effect.type) {
    case 'earn_points':
      return {
        type: effect.type,
        wallet_type_code: effect.wallet_type_code,
        points:
          effect.amount_type === 'fixed'
            ? effect.amount!
            : awardOf(evaluate(effect.amount_expression!)),
        expiry_days: override?.expiry_days ?? null,
        pending_days: override?.pending_days ?? null,
      };
    case 'update_client_field':
      return {
        type: effect.type,
        field_name: effect.field_name,
        value: writable(effect.field_name, evaluate(effect.value_expression) as Json),
      };
    case 'send_push':
      return { type: effect.type, title: effect.title ?? null, body: effect.body };
    case 'assign_tier':
      return { ...effect, duration_days: effect.duration_days ?? null };
    case 'remove_tier':
      return { type: effect.type, tier_id: effect.tier_id ?? null };
    case 'switch_template':
      return { ...effect, duration_days: effect.duration_days ?? null };
    default:
      return effect;
  }
}

/** A value as the API would take it for that field; custom fields are checked where they are defined. */
function writable(field: string, value: Json): Json {
  const complaint = complaintAboutValue(field, value);
  if (complaint !== null)
    throw new Unusable(`the value formula gave what cannot be kept: ${complaint}`);
  return value;
}

/** Points that a formula gives: rounded down to what a wallet can hold, never below zero. */
function awardOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new Unusable('the amount formula did not give a number');
  if (value < 0)
    throw new Unusable(`the amount formula gave ${value}, and points cannot be taken by earning`);
  if (value > AMOUNT_MAX)
    throw new Unusable(
      `the amount formula gave ${value}, and no more than ${AMOUNT_MAX} can be earned`,
    );
  const scale = 10 ** DECIMAL_PLACES_MAX;
  // A value that is only kept from its last place by binary fractions is that place: 0.3 * 3 is 0.9.
  return Math.floor(Number((value * scale).toPrecision(15))) / scale;
}

/** One line about an effect, for people. */
export function summaryOf(effect: PlannedEffect): string {
  switch (effect.type) {
    case 'earn_points':
      return `earn ${toDecimal(toUnits(effect.points))} ${effect.wallet_type_code}`;
    case 'deduct_points':
      return `deduct ${effect.amount} ${effect.wallet_type_code}`;
    case 'give_reward':
      return 'give a reward';
    case 'update_client_field':
      return `set ${effect.field_name} to ${JSON.stringify(effect.value)}`;
    case 'send_push':
      return `send "${effect.title ?? effect.body}"`;
    case 'call_webhook':
      return 'call a webhook';
    case 'assign_tier':
      return effect.duration_days === null
        ? 'assign a tier'
        : `assign a tier for ${effect.duration_days} days`;
    case 'remove_tier':
      return 'remove the tier';
    case 'switch_template':
      return effect.duration_days === null
        ? 'switch the pass template'
        : `switch the pass template for ${effect.duration_days} days`;
  }
}
