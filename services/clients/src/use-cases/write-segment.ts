import { invalidField, invalidPayload } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce, etagOf, type Session } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { filterProblems } from '../domain/segments/check-filters';
import {
  complaintAboutFiltersRoom,
  type Segment,
  type SegmentFilter,
  UNTIERED,
} from '../domain/segments/filter';
import { nestingProblems } from '../domain/segments/nesting';
import { refusals } from '../refusals';
import { toSegmentReply } from './wire';

export type SegmentDeps = Pick<
  Deps,
  'connection' | 'segments' | 'fields' | 'ledger' | 'tiers' | 'templates' | 'clock'
>;

/** All segments of a workspace are read whenever one is written or they are listed. */
const SEGMENTS_MAX = 1_000;

/** Refuses one more segment where a workspace has as many as it may; the segments are locked by then. */
export async function requireRoomForOne(
  { segments }: Pick<Deps, 'segments'>,
  workspaceId: string,
  session: Session,
): Promise<void> {
  if ((await segments.count(workspaceId, session)) >= SEGMENTS_MAX)
    throw refusals.tooManySegments();
}

/** Refuses filters that are too much for one segment, unless it had as much before. */
export function requireRoomFor(
  filters: readonly SegmentFilter[],
  before?: readonly SegmentFilter[],
): void {
  const complaint = complaintAboutFiltersRoom(filters, before);
  if (complaint) throw invalidField('filters', complaint);
}

/** Filters as they are to be stored: each has an id of its own. */
export function withIds(filters: readonly api.SegmentFilter[]): SegmentFilter[] {
  const taken = new Set<string>();
  return filters.map((filter) => {
    const id = filter.id === undefined || taken.has(filter.id) ? newId() : filter.id;
    taken.add(id);
    return { ...filter, id } as unknown as SegmentFilter;
  });
}

/**
 * Writes what `decide` makes of the workspace's segments, after the filters were checked. All changes of a
 * workspace's segments are made one after the other, so that no two of them nest segments in a circle.
 */
export async function writeSegment(
  deps: SegmentDeps,
  { workspaceId, filters }: { workspaceId: string; filters: readonly SegmentFilter[] },
  decide: (session: Session) => Promise<{ segment: Segment; isNew: boolean }>,
): Promise<api.Segment> {
  const vocabulary = await readVocabulary(deps, workspaceId, { filters, withMigrating: false });
  return commitOnce(deps.connection, async (session) => {
    await deps.segments.lock(workspaceId, session);
    const { segment, isNew } = await decide(session);
    const all = await deps.segments.list(workspaceId, session);
    const others = new Map(all.map((one) => [one.id, one]));
    const problems = [
      ...filterProblems(filters, { ...vocabulary, segmentIds: new Set(others.keys()) }),
      ...nestingProblems(segment.id, segment.filters, others),
    ];
    if (problems.length > 0) throw invalidPayload(problems);
    await (isNew
      ? deps.segments.insert(segment, session)
      : deps.segments.replace(segment, session));
    return isNew ? toSegmentReply(segment) : { ...toSegmentReply(segment), etag: etagOf(segment) };
  });
}

/**
 * Refuses filters that a new segment could not have, each at its place; but for a template that is being migrated away, which
 * passes are still on: who only counts by it names it nowhere.
 */
export async function requireValidFilters(
  deps: SegmentDeps,
  workspaceId: string,
  filters: readonly SegmentFilter[],
): Promise<void> {
  const [vocabulary, all] = await Promise.all([
    readVocabulary(deps, workspaceId, { filters, withMigrating: true }),
    deps.segments.list(workspaceId),
  ]);
  const others = new Map(all.map((one) => [one.id, one]));
  const problems = [
    ...filterProblems(filters, { ...vocabulary, segmentIds: new Set(others.keys()) }),
    ...nestingProblems(newId(), filters, others),
  ];
  if (problems.length > 0) throw invalidPayload(problems);
}

/**
 * What the workspace has of what the filters name.
 *
 * @param withMigrating whether templates that are being migrated away are among it
 */
async function readVocabulary(
  { fields, ledger, tiers, templates }: SegmentDeps,
  workspaceId: string,
  { filters, withMigrating }: { filters: readonly SegmentFilter[]; withMigrating: boolean },
) {
  const workspace = { workspace_id: workspaceId };
  const tierIds = filters.flatMap((filter) => {
    if (filter.filter_type !== 'tier') return [];
    const { tier_ids: ids } = filter.filter_config;
    return ids === UNTIERED ? [] : ids.filter((id) => id !== UNTIERED);
  });
  const templateIds = filters.flatMap((filter) =>
    filter.filter_type === 'pass' ? (filter.filter_config.pass_template_ids ?? []) : [],
  );
  const namesWallets = filters.some(({ filter_type: type }) => type === 'wallet_balance');
  const [definitions, found, types, made] = await Promise.all([
    fields.list(workspaceId),
    tierIds.length === 0 ? { tiers: [] } : tiers.GetTiers({ ...workspace, ids: tierIds }),
    namesWallets ? ledger.ListWalletTypes(workspace) : { wallet_types: [] },
    templateIds.length === 0
      ? { templates: [] }
      : templates.GetTemplates({ ...workspace, ids: templateIds, with_migrating: withMigrating }),
  ]);
  return {
    definitions: new Map(definitions.map((field) => [field.field_name, field])),
    tierIds: new Set(found.tiers.map(({ id }) => id)),
    templateIds: new Set(made.templates.map(({ id }) => id)),
    walletTypeCodes: new Set(types.wallet_types.map(({ code }) => code)),
  };
}
