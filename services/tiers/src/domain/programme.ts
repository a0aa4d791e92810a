import type { TierMetric } from '@laurel/contract';

export interface Condition {
  type: TierMetric;
  /** Counts the points of one wallet type only; with total_earned alone. */
  wallet_type_code?: string;
}

export type TierKind = 'auto' | 'exclusive';
export type Thresholds = Partial<Record<TierMetric, number>>;

/** A tier as far as deciding who is in it goes. */
export interface Rung {
  id: string;
  sort_order: number;
  kind: TierKind;
  condition_values: Thresholds;
}

export interface Benefit {
  id: string;
  label: string;
  value?: string | number | boolean | null;
}

export interface NotificationConfig {
  send_on_promotion?: boolean;
  send_on_demotion?: boolean;
  promotion_body?: string | null;
  demotion_body?: string | null;
}

/** A tier as the API shows it (part 1, Tier). */
export interface Tier extends Rung {
  /** What files call it; given once. */
  key?: string | null;
  tier_set_id: string;
  workspace_id: string;
  name: string;
  description: string | null;
  benefits: Benefit[];
  color: string | null;
  icon: string | null;
  pass_sync_config: { field_name?: string; sync_value?: string };
  pass_template_id: string | null;
  notification_config: NotificationConfig | null;
  /** Moves with every change; absent in rows of before it was counted, as is the moment of the last change. */
  revision?: number;
  changed_at?: Date;
}

/** A tier set without its tiers (part 1, Tier set). */
export interface TierSet {
  id: string;
  workspace_id: string;
  name: string;
  active: boolean;
  conditions: Condition[];
  downgrade_config: { lookback_days?: number };
}

/** The rules by which clients of one workspace have tiers. `tiers` go from the lowest to the highest. */
export interface Programme<T extends Rung = Tier> {
  active: boolean;
  conditions: readonly Condition[];
  lookbackDays: number;
  tiers: readonly T[];
}

type Ranked = Pick<Rung, 'id' | 'sort_order'>;

/** Lowest first. Of equal sort_order the tier made later counts as the higher. */
export function compareTiers(a: Ranked, b: Ranked): number {
  return a.sort_order - b.sort_order || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** As compareTiers, where no tier at all is below every tier. */
export function compareStandings(a: Ranked | null, b: Ranked | null): number {
  if (!a || !b) return Number(a !== null) - Number(b !== null);
  return compareTiers(a, b);
}

export function programmeOf<T extends Rung>(
  set: Pick<TierSet, 'active' | 'conditions' | 'downgrade_config'>,
  tiers: readonly T[],
): Programme<T> {
  return {
    active: set.active,
    conditions: set.conditions,
    lookbackDays: set.downgrade_config.lookback_days ?? 0,
    tiers: [...tiers].sort(compareTiers),
  };
}
