import type { Problem } from '@laurel/errors';
import { nestedIn, type SegmentFilter } from './filter';

/** A segment with all that is nested in it may have so many filters: each is part of one question. */
export const FILTERS_NESTED_MAX = 500;

type Filters = readonly SegmentFilter[];

/**
 * What is wrong with how segments are nested if the segment `id` had these filters: one that would come back to
 * itself, or any that would become too large. `others` are the workspace's segments by id.
 */
export function nestingProblems(
  id: string,
  filters: Filters,
  others: ReadonlyMap<string, { filters: Filters }>,
): Problem[] {
  const after = new Map(others).set(id, { filters });
  const cycles = filters.flatMap((filter, index) =>
    filter.filter_type === 'segment' && reaches(after, filter.filter_config.segment_id, id)
      ? [
          {
            field: `filters.${index}.filter_config.segment_id`,
            message: 'a segment must not be nested in itself, by whatever way',
          },
        ]
      : [],
  );
  if (cycles.length > 0) return cycles;
  const sizes = new Map<string, number>();
  const isTooLarge = [...after.keys()].some(
    (one) => sizeOf(after, one, sizes) > FILTERS_NESTED_MAX,
  );
  const message = `a segment and all that is nested in it must have at most ${FILTERS_NESTED_MAX} filters`;
  return isTooLarge ? [{ field: 'filters', message }] : [];
}

function reaches(
  segments: ReadonlyMap<string, { filters: Filters }>,
  from: string,
  to: string,
): boolean {
  const seen = new Set<string>();
  const ahead = [from];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    ahead.push(...nestedIn(segments.get(id)?.filters ?? []));
  }
  return false;
}

/** Filters of a segment with those of what is nested in it, as often as it is nested. */
function sizeOf(
  segments: ReadonlyMap<string, { filters: Filters }>,
  id: string,
  known: Map<string, number>,
): number {
  const size = known.get(id);
  if (size !== undefined) return size;
  const own = segments.get(id)?.filters ?? [];
  const sum = own.reduce(
    (total, filter) =>
      total +
      1 +
      (filter.filter_type === 'segment'
        ? sizeOf(segments, filter.filter_config.segment_id, known)
        : 0),
    0,
  );
  known.set(id, sum);
  return sum;
}
