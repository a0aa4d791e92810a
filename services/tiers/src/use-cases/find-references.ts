import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/**
 * The tiers that put one of these templates on the passes of their members, and the tier set in force that counts the points of
 * one of these wallet types; asked before those are deleted (docs/adr/0015).
 */
export async function findReferences(
  deps: Pick<Deps, 'tiers' | 'tierSets'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  if (kind === 'pass_template') return { references: await tiersWith(deps, workspaceId, ids) };
  if (kind === 'wallet_type') return { references: await setCounting(deps, workspaceId, ids) };
  return { references: [] };
}

async function tiersWith(
  { tiers }: Pick<Deps, 'tiers'>,
  workspaceId: string,
  templateIds: readonly string[],
): Promise<common.Reference[]> {
  return (await tiers.list(workspaceId))
    .filter(({ pass_template_id: named }) => named !== null && templateIds.includes(named))
    .map(({ id, name }) => ({ type: 'tier', id, name }));
}

async function setCounting(
  { tierSets }: Pick<Deps, 'tierSets'>,
  workspaceId: string,
  codes: readonly string[],
): Promise<common.Reference[]> {
  const set = await tierSets.find(workspaceId);
  if (!set?.active) return [];
  const { id, name, conditions } = set;
  const isNamed = conditions.some(
    ({ wallet_type_code: code }) => code !== undefined && codes.includes(code),
  );
  return isNamed ? [{ type: 'tier_set', id, name }] : [];
}
