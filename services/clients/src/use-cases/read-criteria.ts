import type { Deps } from '../deps';
import { criterionOf } from '../domain/segments/criteria';
import type { Criterion } from '../domain/segments/criterion';
import type { SegmentFilter } from '../domain/segments/filter';
import { CONTACT_KEYS } from '../store/profiles';

export type CriteriaDeps = Pick<Deps, 'segments' | 'fields' | 'clock'>;

/** What filters that belong to no segment ask of a profile at this moment. */
export async function readFilters(
  { segments, fields, clock }: CriteriaDeps,
  workspaceId: string,
  filters: readonly SegmentFilter[],
): Promise<(asked: readonly SegmentFilter[]) => Criterion> {
  const nested = filters.flatMap((filter) =>
    filter.filter_type === 'segment' ? [filter.filter_config.segment_id] : [],
  );
  const [found, definitions] = await Promise.all([
    segments.withNested(workspaceId, nested),
    fields.list(workspaceId),
  ]);
  const context = {
    now: clock.now(),
    definitions: new Map(definitions.map((field) => [field.field_name, field])),
    segments: found,
    contactKeys: CONTACT_KEYS,
  };
  return (asked) => criterionOf(asked, context);
}

/** What each of the segments asks of a profile at this moment; unknown ones are left out. */
export async function readCriteria(
  { segments, fields, clock }: CriteriaDeps,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Criterion>> {
  const [found, definitions] = await Promise.all([
    segments.withNested(workspaceId, ids),
    fields.list(workspaceId),
  ]);
  const context = {
    now: clock.now(),
    definitions: new Map(definitions.map((field) => [field.field_name, field])),
    segments: found,
    contactKeys: CONTACT_KEYS,
  };
  const known = ids.filter((id) => found.has(id));
  return new Map(known.map((id) => [id, criterionOf(found.get(id)!.filters, context)]));
}
