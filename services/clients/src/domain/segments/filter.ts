import type { BalanceName, ClientMetric, Operator } from '@laurel/contract';
import type { Json } from '@laurel/errors';

/** An operator with its value: a list for `_in` and `_nin`, two for `_between`, none for `_null` and `_nnull`. */
export interface Comparison {
  operator: Operator;
  value?: Json;
}

export const UNTIERED = 'untiered';

/** The forms of `filter_config` by `filter_type` (part 3, section 11). */
export interface FilterConfigs {
  custom_field: { custom_field_filters: Record<string, Comparison> };
  client_field: { field: string } & Comparison;
  tier: { tier_ids: string[] | typeof UNTIERED; negate?: boolean };
  wallet_balance: { wallet_type_code: string; balance: BalanceName } & Comparison;
  metric: { metric: ClientMetric; period_days?: number } & Comparison;
  event: { event_category: string; event_type?: string; within_days: number } & Comparison;
  pass: { has_pass: boolean; pass_template_ids?: string[]; installed?: boolean };
  segment: { segment_id: string; negate?: boolean };
}

export type SegmentFilter = {
  [Type in keyof FilterConfigs]: {
    id: string;
    filter_type: Type;
    filter_config: FilterConfigs[Type];
  };
}[keyof FilterConfigs];

/** Clients that comply with all filters; without any, everybody who is not anonymized. */
export interface Segment {
  id: string;
  workspace_id: string;
  /** What files call it; given once. */
  key?: string | null;
  name: string;
  description: string | null;
  filters: SegmentFilter[];
  date_created: Date;
  /** Moves with every change; absent in rows of before it was counted, as is the moment of the last change. */
  revision?: number;
  date_updated?: Date;
}

/** The segments that filters name, each once. */
export function nestedIn(filters: readonly SegmentFilter[]): string[] {
  const ids = filters.flatMap((filter) =>
    filter.filter_type === 'segment' ? [filter.filter_config.segment_id] : [],
  );
  return [...new Set(ids)];
}

/** All filters of a segment together: segments are always read as a whole, and all of a workspace at once. */
const FILTERS_CHARACTERS_MAX = 40_000;

const lengthOf = (filters: readonly SegmentFilter[]): number => JSON.stringify(filters).length;

/** What is wrong with the size of filters, or null. A segment from before this was asked may stay so large. */
export function complaintAboutFiltersRoom(
  filters: readonly SegmentFilter[],
  before: readonly SegmentFilter[] = [],
): string | null {
  const length = lengthOf(filters);
  return length > FILTERS_CHARACTERS_MAX && length > lengthOf(before)
    ? `filters of a segment must together be at most ${FILTERS_CHARACTERS_MAX} characters of JSON`
    : null;
}
