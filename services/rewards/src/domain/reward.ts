import { invalidPayload, type Problem } from '@laurel/errors';
import type { Units } from '@laurel/values/amount';
import { patternProblem } from './pattern';

export interface NotificationConfig {
  send_on_redemption?: boolean;
  body: string;
}

/** What a workspace decides about a reward. */
export interface RewardFields {
  /** What files call it; given once. */
  key?: string | null;
  name: string;
  cost_in_points: Units;
  description: string | null;
  code_pattern: string | null;
  active: boolean;
  wallet_type_id: string | null;
  monetary_value: Units | null;
  availability_start: Date | null;
  availability_end: Date | null;
  visibility_tiers: string[];
  visibility_segments: string[];
  usage_limit: number | null;
  usage_limit_per_client: number | null;
  categories: string[];
  image: string | null;
  sort_order: number;
  purchasable: boolean;
  notification_config: NotificationConfig | null;
}

export interface Reward extends RewardFields {
  id: string;
  workspace_id: string;
  /** Redemptions that count towards usage_limit, those on their way included. */
  used: number;
  /** True once codes were imported: without a pattern, every redemption must then get one. */
  coupons_imported: boolean;
  /** What the workspace wants `purchasable` to be, also while no wallet pays; absent of rewards from before that was kept. */
  for_sale?: boolean;
  /** Grows with every change of the fields; a reservation holds only for the revision it was decided on. */
  revision: number;
  date_created: Date;
  date_updated: Date;
}

const DEFAULTS: Omit<RewardFields, 'name' | 'cost_in_points'> = {
  description: null,
  code_pattern: null,
  active: true,
  wallet_type_id: null,
  monetary_value: null,
  availability_start: null,
  availability_end: null,
  visibility_tiers: [],
  visibility_segments: [],
  usage_limit: null,
  usage_limit_per_client: null,
  categories: [],
  image: null,
  sort_order: 0,
  purchasable: true,
  notification_config: null,
};

export type NewReward = Pick<RewardFields, 'name' | 'cost_in_points'> & Partial<RewardFields>;

export function newReward(
  { id, workspaceId }: { id: string; workspaceId: string },
  fields: NewReward,
  now: Date,
): Reward {
  const given = { ...DEFAULTS, ...fields };
  return {
    id,
    workspace_id: workspaceId,
    ...settled({ ...given, for_sale: given.purchasable }),
    used: 0,
    coupons_imported: false,
    revision: 1,
    date_created: now,
    date_updated: now,
  };
}

export function changedReward(reward: Reward, changes: Partial<RewardFields>, now: Date): Reward {
  const { purchasable = isForSale(reward) } = changes;
  return {
    ...reward,
    ...settled({ ...reward, ...changes, for_sale: purchasable }),
    revision: reward.revision + 1,
    date_updated: now,
  };
}

/** Of a reward from before what is wanted was kept, while no wallet pays: what rewards are by default. */
function isForSale({
  for_sale = DEFAULTS.purchasable,
  purchasable,
  wallet_type_id,
}: Reward): boolean {
  return wallet_type_id === null ? for_sale : purchasable;
}

/** How often it may still be redeemed or given; null without a usage_limit. */
export function usesLeft({ usage_limit: limit, used }: Reward): number | null {
  return limit === null ? null : Math.max(limit - used, 0);
}

/** Whether each redemption must get one of the imported codes. */
export function livesOnImports({ coupons_imported, code_pattern }: Reward): boolean {
  return coupons_imported && code_pattern === null;
}

/** The fields as they are kept. Throws INVALID_PAYLOAD naming every problem. */
function settled<F extends RewardFields & { for_sale: boolean }>(fields: F): F {
  const problems: Problem[] = [];
  const { code_pattern: pattern, availability_start: start, availability_end: end } = fields;
  const complaint = pattern === null ? null : patternProblem(pattern);
  if (complaint) problems.push({ field: 'code_pattern', message: `code_pattern ${complaint}` });
  if (start && end && end <= start) {
    const message = 'availability_end must be after availability_start';
    problems.push({ field: 'availability_end', message });
  }
  if (problems.length > 0) throw invalidPayload(problems);
  // Points cannot buy what no wallet pays for.
  return { ...fields, purchasable: fields.for_sale && fields.wallet_type_id !== null };
}
