import { isDeepStrictEqual } from 'node:util';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { isLeftToTiers, withTierField } from '../../domain/pass/tier-sync';
import { isSame, toTierOnPass } from './sync-tier';
import { rewritePass } from './write-pass';

type FollowDeps = Pick<
  PassDeps,
  'connection' | 'passes' | 'passUpdates' | 'templateRefreshes' | 'tiers' | 'clock' | 'outbox'
>;

/**
 * Writes what tiers write by now onto some passes, in place of what they wrote before: a tier was renamed since, or names
 * a field for the first time, or another one. What somebody else put there stays, and so does the template that a pass is on.
 */
export async function followTierFields(
  deps: FollowDeps,
  workspaceId: string,
  passIds: readonly string[],
): Promise<void> {
  const workspace = { workspace_id: workspaceId };
  const tiers = (await deps.tiers.ListTiers(workspace)).tiers.map(toTierOnPass);
  const isAnyNamed = tiers.some(({ pass_sync_config: { field_name } }) => field_name !== undefined);
  const passes = isAnyNamed
    ? await deps.passes.ofClients(workspaceId, passIds)
    : await deps.passes.withTierField(workspaceId, passIds);
  const clientIds = [...new Set(passes.flatMap(({ client_id }) => client_id ?? []))];
  if (clientIds.length === 0) return;
  const { placements } = await deps.tiers.GetClientTiers({ ...workspace, client_ids: clientIds });
  const tierOf = new Map(placements.map(({ client_id, tier_id }) => [client_id, tier_id]));
  for (const seen of passes) {
    const current = tiers.find(({ id }) => id === tierOf.get(seen.client_id ?? '')) ?? null;
    const follow = (pass: Pass) =>
      isLeftToTiers(pass, current) ? withTierField(pass, tiers, current) : pass;
    if (isSame(seen, follow(seen))) continue;
    await unitOfWork(deps.connection, (session) => write(deps, { seen, follow }, session));
  }
}

async function write(
  deps: FollowDeps,
  { seen, follow }: { seen: Pass; follow: (pass: Pass) => Pass },
  session: Session,
): Promise<void> {
  const before = await deps.passes.find(seen.workspace_id, seen.id, session);
  // What came with another tier meanwhile is newer.
  if (!before || before.retired || !isDeepStrictEqual(before.tier_field, seen.tier_field)) return;
  const followed = follow(before);
  if (before.client_id !== seen.client_id || isSame(before, followed)) return;
  const after = { ...followed, date_updated: deps.clock.now() };
  await rewritePass(deps, { before, after, source: 'tier' }, session);
}
