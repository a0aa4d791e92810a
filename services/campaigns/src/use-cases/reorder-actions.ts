import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import { requireDraft } from '../domain/campaign';
import { refusals } from '../refusals';
import { changeCampaign } from './change-campaign';

/** Puts the actions of a draft into an order, which must name each of them once. */
export async function reorderActions(
  deps: Deps,
  {
    workspace_id: workspaceId,
    campaign_id: campaignId,
    action_ids: ids,
  }: api.ReorderActionsRequest,
): Promise<api.ActionPositions> {
  return changeCampaign(deps, { workspaceId, id: campaignId }, (campaign, actions) => {
    requireDraft(campaign);
    requireAll(ids, actions);
    const positions = ids.map((id, sort) => ({ id, workspace_id: workspaceId, sort }));
    return {
      campaign,
      write: (session) => deps.actions.move(positions, session),
      reply: { actions: positions.map(({ id, sort }) => ({ id, sort })) },
    };
  });
}

function requireAll(ids: readonly string[], actions: readonly Action[]): void {
  const named = new Set(ids);
  const isWhole =
    named.size === ids.length &&
    ids.length === actions.length &&
    actions.every(({ id }) => named.has(id));
  if (!isWhole) throw refusals.notEveryAction({ field: 'action_ids' });
}
