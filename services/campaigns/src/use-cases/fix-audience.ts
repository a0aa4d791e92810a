import { stableId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { type Action, isAwaited, reachesPasses } from '../domain/action';
import type { Member } from '../domain/audience';
import type { Renewal } from '../store/campaigns';
import type { StoredCampaign } from '../store/mapping';
import { passesOfClients } from './passes-of-clients';
import { readAudience } from './read-audience';
import { whileHeld } from './while-held';

type NewMember = Omit<Member, 'position'>;

/**
 * Fixes the next page of the audience: who is in it is in it until the end. A page and the note how far it goes are one
 * transaction; false when the claim was lost. Where it cannot be known any more who is to be in it, what is asked for has
 * failed: an empty audience would be a campaign that seems to have run.
 */
export async function fixAudience(
  deps: Deps,
  { campaign, actions }: { campaign: StoredCampaign; actions: readonly Action[] },
  renewal: Renewal,
): Promise<boolean> {
  const { clients, cursor, isGone } = await readAudience(deps, campaign, campaign.cursor);
  if (isGone) return failActions(deps, actions, renewal);
  const clientIds = clients.map(({ id }) => id);
  const forPasses = actions.some(reachesPasses);
  const members = await membersOf(deps, campaign, { clientIds, forPasses });
  return unitOfWork(deps.connection, async (session) => {
    const memberIds = members.map(({ id }) => id);
    const known = await deps.audience.knownAmong(campaign.workspace_id, memberIds, session);
    const fresh = members
      .filter(({ id }) => !known.has(id))
      .map((member, index) => ({ ...member, position: campaign.members + index + 1 }));
    const isHeld = await deps.campaigns.hold(renewal, session, {
      audience: cursor === null ? 'fixed' : 'open',
      cursor,
      members: campaign.members + fresh.length,
      clients: campaign.clients + fresh.filter(({ leads }) => leads).length,
    });
    if (isHeld) await deps.audience.insertAll(fresh, session);
    return isHeld;
  });
}

async function failActions(
  deps: Deps,
  actions: readonly Action[],
  renewal: Renewal,
): Promise<boolean> {
  const failure = {
    status: 'failed' as const,
    executed_at: deps.clock.now(),
    error_message: 'the segment of the campaign has been deleted',
  };
  return whileHeld(deps, renewal, async (session) => {
    for (const action of actions.filter(isAwaited))
      await deps.actions.setStatus(action, failure, session);
  });
}

/** One member per pass, where an action is for passes; else, and for clients without a pass, one per client. */
async function membersOf(
  deps: Pick<Deps, 'passes'>,
  campaign: StoredCampaign,
  { clientIds, forPasses }: { clientIds: readonly string[]; forPasses: boolean },
): Promise<NewMember[]> {
  const passes = forPasses
    ? await passesOfClients(deps, campaign.workspace_id, clientIds)
    : new Map<string, never[]>();
  return clientIds.flatMap((clientId) =>
    (passes.get(clientId) ?? [null]).map((pass, index) => ({
      id: stableId(`${campaign.id} ${clientId} ${pass?.id ?? ''}`),
      workspace_id: campaign.workspace_id,
      campaign_id: campaign.id,
      client_id: clientId,
      pass_id: pass?.id ?? null,
      project_id: pass?.project_id ?? null,
      pass_template_id: pass?.pass_template_id ?? null,
      leads: index === 0,
      status: 'pending' as const,
      outcomes: {},
      error_message: null,
      processed_at: null,
      rewards_issued: 0,
    })),
  );
}
