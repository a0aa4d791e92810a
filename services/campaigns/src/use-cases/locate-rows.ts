import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** The workspace of a campaign, for routes that name only the campaign. */
export async function locateCampaign(
  { campaigns }: Pick<Deps, 'campaigns'>,
  { id }: api.RowRequest,
): Promise<api.RowLocation> {
  const workspaceId = await campaigns.workspaceOf(id);
  if (workspaceId === null) throw refusals.campaignNotFound();
  return { workspace_id: workspaceId };
}

/** The workspace of an action's campaign, for routes that name only the action. */
export async function locateAction(
  { actions }: Pick<Deps, 'actions'>,
  { id }: api.RowRequest,
): Promise<api.RowLocation> {
  const workspaceId = await actions.workspaceOf(id);
  if (workspaceId === null) throw refusals.actionNotFound();
  return { workspace_id: workspaceId };
}
