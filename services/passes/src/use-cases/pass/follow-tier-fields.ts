import { isDeepStrictEqual } from 'node:util';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { hasTierField, withTierField } from '../../domain/pass/tier-sync';
import { isSame, toTierOnPass } from './sync-tier';
import { rewritePass } from './write-pass';

type FollowDeps = Pick<
  PassDeps,
  'connection' | 'passes' | 'passUpdates' | 'templateRefreshes' | 'tiers' | 'clock' | 'outbox'
>;

/**
 * Writes what tiers write by now in place of what they wrote onto some passes: a tier was renamed since, or names another
 * field. What somebody else put in its place stays, and so does the template that a pass is on.
 */
export async function followTierFields(
  deps: FollowDeps,
  workspaceId: string,
  passIds: readonly string[],
): Promise<void> {
  const written = (await deps.passes.withTierField(workspaceId, passIds)).filter(hasTierField);
  const clientIds = written.flatMap(({ client_id }) => client_id ?? []);
  if (clientIds.length === 0) return;
  const workspace = { workspace_id: workspaceId };
  const [{ placements }, { tiers: known }] = await Promise.all([
    deps.tiers.GetClientTiers({ ...workspace, client_ids: clientIds }),
    deps.tiers.ListTiers(workspace),
  ]);
  const tiers = known.map(toTierOnPass);
  const tierOf = new Map(placements.map(({ client_id, tier_id }) => [client_id, tier_id]));
  for (const seen of written) {
    const current = tiers.find(({ id }) => id === tierOf.get(seen.client_id ?? '')) ?? null;
    const follow = (pass: Pass) => withTierField(pass, tiers, current);
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
  if (!hasTierField(before) || before.client_id !== seen.client_id) return;
  const after = { ...follow(before), date_updated: deps.clock.now() };
  await rewritePass(deps, { before, after, source: 'tier' }, session);
}
