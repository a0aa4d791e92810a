import { nestedIn, type SegmentFilter, UNTIERED } from './filter';

/** Whether other clients would be in a segment without one of these things (part 4, section 6). */
export function refersTo(
  filters: readonly SegmentFilter[],
  kind: string,
  ids: readonly string[],
): boolean {
  const named =
    kind === 'segment' ? nestedIn(filters) : filters.flatMap((one) => namedBy(one, kind));
  return named.some((id) => ids.includes(id));
}

function namedBy({ filter_type: type, filter_config: config }: SegmentFilter, kind: string) {
  if (type === 'tier' && kind === 'tier')
    return config.tier_ids === UNTIERED ? [] : config.tier_ids;
  if (type === 'wallet_balance' && kind === 'wallet_type') return [config.wallet_type_code];
  if (type === 'pass' && kind === 'pass_template') return config.pass_template_ids ?? [];
  return [];
}
