import { newId } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { complies } from '../domain/segments/criterion';
import type { SegmentFilter } from '../domain/segments/filter';
import { refusals } from '../refusals';
import { toSnapshot } from '../store/mapping';
import { type CriteriaDeps, readFilters } from './read-criteria';
import { requireValidFilters, type SegmentDeps, withIds } from './write-segment';

/** Whom a campaign can reach: messages go to passes (part 3, section 16). */
const REACHABLE = (): SegmentFilter => ({
  id: newId(),
  filter_type: 'pass',
  filter_config: { has_pass: true },
});
const CONSENTING = (): SegmentFilter => ({
  id: newId(),
  filter_type: 'client_field',
  filter_config: { field: 'marketing_consent', operator: '_eq', value: true },
});

/** Who would be in a segment that is not saved; nothing is written. */
export async function previewSegment(
  deps: CriteriaDeps & SegmentDeps & Pick<Deps, 'profiles' | 'clients'>,
  {
    workspace_id: workspaceId,
    filters: sent,
    limit,
    client_id: clientId,
  }: api.PreviewSegmentRequest,
): Promise<api.SegmentPreview> {
  const filters = withIds(sent);
  await requireValidFilters(deps, workspaceId, filters);
  const criterionFor = await readFilters(deps, workspaceId, filters);
  const count = (more: readonly SegmentFilter[]) =>
    deps.profiles.count(workspaceId, criterionFor([...filters, ...more]));
  const [total, reachable, consenting, { clientIds }, verdicts] = await Promise.all([
    count([]),
    count([REACHABLE()]),
    count([CONSENTING()]),
    limit === 0
      ? { clientIds: [] }
      : deps.profiles.list(workspaceId, criterionFor(filters), { limit, offset: 0 }),
    clientId === undefined ? [] : judge(deps, workspaceId, clientId),
  ]);
  const found = await deps.clients.findMany(workspaceId, clientIds);
  const byId = new Map(found.map((client) => [client.id, toSnapshot(client)]));
  const sample = clientIds.flatMap((id) => byId.get(id) ?? []);
  return { total, reachable, consenting, sample, filters: verdicts };

  async function judge({ profiles }: Pick<Deps, 'profiles'>, workspace: string, id: string) {
    const profile = await profiles.find(workspace, id);
    if (!profile) throw refusals.unknownClient({ field: 'client_id' });
    return filters.map((filter, index) => ({
      index,
      matches: complies(profile, criterionFor([filter])),
    }));
  }
}
