import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refersTo } from '../domain/references';

/** The scheduled and active campaigns that name any of these things; asked before those are deleted. */
export async function findReferences(
  { campaigns, actions }: Pick<Deps, 'campaigns' | 'actions'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  const references: common.Reference[] = [];
  for (const campaign of await campaigns.ahead(workspaceId)) {
    const own = kind === 'segment' ? [] : await actions.list(workspaceId, campaign.id);
    if (refersTo(campaign, own, { kind, ids }))
      references.push({ type: 'campaign', id: campaign.id, name: campaign.name });
  }
  return { references };
}
