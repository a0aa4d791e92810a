import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { findHead } from './change-campaign';
import { toActionReply } from './wire';

/** The actions of a campaign in the order in which they are executed. */
export async function listActions(
  deps: Pick<Deps, 'actions' | 'campaigns'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.ActionList> {
  await findHead(deps, workspaceId, id);
  return { actions: (await deps.actions.list(workspaceId, id)).map(toActionReply) };
}
