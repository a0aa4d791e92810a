import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { NamingColumn } from '../store/rewards';

/** Where a reward names a thing, by the kind of it. */
const NAMED_IN: { readonly [kind: string]: NamingColumn } = {
  wallet_type: 'wallet_type_id',
  tier: 'visibility_tiers',
  segment: 'visibility_segments',
};

/**
 * The active rewards that are paid from one of these wallet types, or are for one of these tiers or segments; asked before those
 * are deleted (docs/adr/0015).
 */
export async function findReferences(
  { rewards }: Pick<Deps, 'rewards'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  const column = NAMED_IN[kind];
  const found = column ? await rewards.naming(workspaceId, column, ids) : [];
  return { references: found.map(({ id, name }) => ({ type: 'reward', id, name })) };
}
