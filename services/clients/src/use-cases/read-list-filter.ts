import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { ALWAYS } from '../domain/segments/criterion';
import { UNTIERED } from '../domain/segments/filter';
import { isNarrowed, type Narrowing, narrowingCriterion } from '../domain/segments/narrowing';
import { refusals } from '../refusals';
import type { ClientFilter } from '../store/client-filter';
import type { NarrowedQuestion } from '../store/narrowed-clients';
import { type CriteriaDeps, readCriteria } from './read-criteria';

/** What a list or an export is asked of: the columns of clients, or their profiles. */
export type AskedList = { filter: ClientFilter } | { narrowed: NarrowedQuestion };

export type ListDeps = CriteriaDeps & Pick<Deps, 'clients' | 'tiers'>;

/** The filter of a list or export as a store takes it. Only what columns do not tell is asked of profiles. */
export async function readListFilter(
  deps: ListDeps,
  workspaceId: string,
  filter: api.ClientFilter | undefined,
): Promise<AskedList> {
  const { search, email, status, source, from_date, to_date } = filter ?? {};
  const columns = { status, source, from: momentOf(from_date), to: momentOf(to_date) };
  const narrowing: Narrowing = {
    segmentId: filter?.segment_id,
    tierIds: filter?.tier_ids ?? [],
    hasPass: filter?.has_pass,
    customFields: (filter?.custom_fields ?? []).map(({ field_name: name, values }) => ({
      name,
      values,
    })),
  };
  if (!isNarrowed(narrowing)) return { filter: { ...columns, search, email } };
  const [segment, owner] = await Promise.all([
    segmentOf(deps, workspaceId, narrowing),
    email === undefined ? undefined : deps.clients.findByEmail(workspaceId, email),
    requireTiers(deps, workspaceId, narrowing),
  ]);
  const ids = owner === undefined ? undefined : owner ? [owner.id] : [];
  const criterion = narrowingCriterion(narrowing, columns, segment);
  return { narrowed: { workspaceId, asked: JSON.stringify(filter), criterion, search, ids } };
}

async function segmentOf(
  deps: CriteriaDeps,
  workspaceId: string,
  { segmentId: id }: Narrowing,
): Promise<typeof ALWAYS> {
  if (id === undefined) return ALWAYS;
  const segment = (await readCriteria(deps, workspaceId, [id])).get(id);
  if (!segment) throw refusals.unknownSegment({ field: 'segment_id' });
  return segment;
}

async function requireTiers(
  { tiers }: ListDeps,
  workspaceId: string,
  { tierIds }: Narrowing,
): Promise<void> {
  const ids = [...new Set(tierIds)].filter((id) => id !== UNTIERED);
  if (ids.length === 0) return;
  const found = await tiers.GetTiers({ workspace_id: workspaceId, ids });
  if (found.tiers.length < ids.length) throw refusals.unknownTier({ field: 'tier_id' });
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
