import type { Problem } from '@laurel/errors';
import { nestedIn, type SegmentFilter } from './filter';

/** A segment with all that is nested in it may have so many filters: each is part of one question. */
export const FILTERS_NESTED_MAX = 500;
/** Segments are nested in one another so deep at most: stores take no question that is nested much deeper. */
export const DEPTH_MAX = 20;

type Filters = readonly SegmentFilter[];
type Segments = ReadonlyMap<string, { filters: Filters }>;

/**
 * What is wrong with how segments are nested if the segment `id` had these filters: one that would come back to
 * itself, or any that would become too large or too deep. One that is so already, from before there was a limit, may stay as
 * it is or come closer to it. `others` are the workspace's segments by id, as they are.
 */
export function nestingProblems(id: string, filters: Filters, others: Segments): Problem[] {
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
  return [
    ...(isAnyBeyond(DEPTH_MAX, depthOf, { before: others, after })
      ? [{ field: 'filters', message: `segments must be nested at most ${DEPTH_MAX} deep` }]
      : []),
    ...(isAnyBeyond(FILTERS_NESTED_MAX, sizeOf, { before: others, after })
      ? [{ field: 'filters', message: TOO_LARGE }]
      : []),
  ];
}

const TOO_LARGE = `a segment and all that is nested in it must have at most ${FILTERS_NESTED_MAX} filters`;

type Measure = (segments: Segments, id: string, known: Map<string, number>) => number;

/** Whether any segment would measure more than `max`, and more than it does. */
function isAnyBeyond(
  max: number,
  measure: Measure,
  { before, after }: { before: Segments; after: Segments },
): boolean {
  const [was, becomes] = [new Map<string, number>(), new Map<string, number>()];
  return [...after.keys()].some((one) => {
    const size = measure(after, one, becomes);
    return size > max && size > measure(before, one, was);
  });
}

/** How many segments are nested in one another below this one. */
function depthOf(segments: Segments, id: string, known: Map<string, number>): number {
  const depth = known.get(id);
  if (depth !== undefined) return depth;
  const nested = nestedIn(segments.get(id)?.filters ?? []);
  const deepest = nested.reduce(
    (most, one) => Math.max(most, 1 + depthOf(segments, one, known)),
    0,
  );
  known.set(id, deepest);
  return deepest;
}

function reaches(segments: Segments, from: string, to: string): boolean {
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
function sizeOf(segments: Segments, id: string, known: Map<string, number>): number {
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
