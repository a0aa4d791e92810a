import { commitOnce, etagOf, requireUnchanged, type Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import type { Campaign } from '../domain/campaign';
import { refusals } from '../refusals';
import { type CampaignHead, type StoredCampaign, versionOfCampaign } from '../store/mapping';

export type ChangeDeps = Pick<Deps, 'actions' | 'campaigns' | 'clock' | 'connection'>;
type Work = Parameters<Deps['campaigns']['replace']>[2];

/** What a change makes of a campaign, and what else is written beside it. */
export interface Change<Reply> {
  campaign: Campaign;
  work?: Work;
  write?: (session: Session) => Promise<unknown>;
  reply: Reply;
}

/**
 * Decides on a campaign with its actions and writes what comes of it in one transaction. Whatever changes a campaign
 * or an action of it goes through here, so that no two of them are decided on the same state, and one that names the version
 * that somebody saw is refused where it is another one by now. The reply has the version that it then is of.
 */
export function changeCampaign<Reply extends object>(
  { actions, campaigns, clock, connection }: ChangeDeps,
  { workspaceId, id }: { workspaceId: string; id: string },
  decide: (campaign: StoredCampaign, actions: Action[]) => Change<Reply>,
): Promise<Reply & { etag: string }> {
  return commitOnce(connection, async (session) => {
    const current = await campaigns.find(workspaceId, id, session);
    if (!current) throw refusals.campaignNotFound();
    const change = decide(current, await actions.list(workspaceId, id, session));
    requireUnchanged(versionOfCampaign(current));
    const changed = { ...current, ...change.campaign, changed_at: clock.now() };
    await campaigns.replace(changed, session, change.work);
    await change.write?.(session);
    return { ...change.reply, etag: etagOf({ id, revision: current.revision + 1 }) };
  });
}

/** The campaign; RECORD_NOT_FOUND where the workspace has none with this id. */
export async function findCampaign(
  { campaigns }: Pick<Deps, 'campaigns'>,
  workspaceId: string,
  id: string,
): Promise<StoredCampaign> {
  const campaign = await campaigns.find(workspaceId, id);
  if (!campaign) throw refusals.campaignNotFound();
  return campaign;
}

/** The same without the clients that it lists, where they are not asked for. */
export async function findHead(
  { campaigns }: Pick<Deps, 'campaigns'>,
  workspaceId: string,
  id: string,
): Promise<CampaignHead> {
  const campaign = await campaigns.findHead(workspaceId, id);
  if (!campaign) throw refusals.campaignNotFound();
  return campaign;
}

/** The action; RECORD_NOT_FOUND where the workspace has none with this id. */
export async function findAction(
  { actions }: Pick<Deps, 'actions'>,
  workspaceId: string,
  id: string,
): Promise<Action> {
  const action = await actions.find(workspaceId, id);
  if (!action) throw refusals.actionNotFound();
  return action;
}
