import { criterionOf } from './criteria';
import { all, type Criterion, is, pathStep, type Scalar } from './criterion';
import type { SegmentFilter } from './filter';

/** What a list of clients may ask that only a profile knows. */
export interface Narrowing {
  segmentId?: string | undefined;
  /** Tiers, or UNTIERED, any of them. */
  tierIds: readonly string[];
  hasPass?: boolean | undefined;
  /** Each of them has one of the values. */
  customFields: readonly { name: string; values: readonly string[] }[];
}

/** What a list may ask of the columns of clients as well. */
export interface ColumnFilter {
  status?: string | undefined;
  source?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Whether a list asks for more than columns of clients. */
export function isNarrowed({ segmentId, tierIds, hasPass, customFields }: Narrowing): boolean {
  const asked = [segmentId, hasPass].some((one) => one !== undefined);
  return asked || tierIds.length > 0 || customFields.length > 0;
}

/** What a list asks of a profile. `segment` is what its segment does. */
export function narrowingCriterion(
  { tierIds, hasPass, customFields }: Narrowing,
  { status, source, from, to }: ColumnFilter,
  segment: Criterion,
): Criterion {
  const filters: SegmentFilter[] = [];
  if (tierIds.length > 0)
    filters.push({ id: 'tier', filter_type: 'tier', filter_config: { tier_ids: [...tierIds] } });
  if (hasPass !== undefined)
    filters.push({ id: 'pass', filter_type: 'pass', filter_config: { has_pass: hasPass } });
  // Neither asks for the hour, the data model, another segment or an address.
  const context = {
    now: new Date(0),
    definitions: new Map(),
    segments: new Map(),
    contactKeys: { email: () => null, phone: () => null },
  };
  return all(
    segment,
    criterionOf(filters, context),
    ...customFields.map(({ name, values }) => hasOneOf(name, values)),
    ...(status === undefined ? [] : [is('columns.status', 'eq', status)]),
    ...(source === undefined ? [] : [is('columns.source', 'eq', source)]),
    ...(from === undefined ? [] : [is('columns.date_created', 'gte', from)]),
    ...(to === undefined ? [] : [is('columns.date_created', 'lte', to)]),
  );
}

/** A query knows texts only: "5" is the number as well, and "true" the truth. Of a list one member is enough. */
function hasOneOf(name: string, values: readonly string[]): Criterion {
  const meant = values.flatMap((text): Scalar[] => {
    if (text === 'true' || text === 'false') return [text, text === 'true'];
    return String(Number(text)) === text ? [text, Number(text)] : [text];
  });
  return { path: `custom_fields.${pathStep(name)}`, oneOf: meant };
}
