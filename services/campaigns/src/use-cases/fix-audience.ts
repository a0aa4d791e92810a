import { stableId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { type Action, isAwaited, reachesPasses } from '../domain/action';
import type { Member } from '../domain/audience';
import type { Renewal } from '../store/campaigns';
import type { AudienceState, CampaignHead } from '../store/mapping';
import type { Next } from './action-task';
import { passesOfClients } from './passes-of-clients';
import { type AudiencePage, readAudience } from './read-audience';
import { whileHeld } from './while-held';

type NewMember = Omit<Member, 'position'>;

/** Merges that are under way are waited for so long: one that cannot go on must keep no campaign from running. */
const MERGES_WAIT_MS = 10_000;

/**
 * Fixes the next page of the audience: who is in it is in it until the end. A page and the note how far it goes are one
 * transaction. Where it cannot be known any more who is to be in it, what is asked for has failed: an empty audience would be
 * a campaign that seems to have run.
 *
 * A segment is gone through twice: who was merged meanwhile may have been on a page that was still to come, as a client who
 * was on one before and was in the segment only by then.
 */
export async function fixAudience(
  deps: Deps,
  { campaign, actions }: { campaign: CampaignHead; actions: readonly Action[] },
  renewal: Renewal,
): Promise<Next> {
  const page = await readAudience(deps, campaign, campaign.cursor);
  if (page.isGone) return next(await failActions(deps, actions, renewal));
  const now = deps.clock.now();
  if (page.isMerging && isPatient(campaign, now)) return 'later';
  const clientIds = page.clients.map(({ id }) => id);
  const forPasses = actions.some(reachesPasses);
  const members = await membersOf(deps, campaign, { clientIds, forPasses });
  const isHeld = await whileHeld(deps, renewal, async (session) => {
    const joining = await joiningOf(deps, { campaign, members }, session);
    const fresh = joining.map((one, at) => ({ ...one, position: campaign.members + at + 1 }));
    await deps.audience.insertAll(fresh, session);
    await deps.campaigns.hold(renewal, session, {
      ...stateAfter(campaign, page, now),
      members: campaign.members + fresh.length,
      clients: campaign.clients + fresh.filter(({ leads }) => leads).length,
    });
  });
  return next(isHeld);
}

const next = (isHeld: boolean): Next => (isHeld ? 'at once' : 'not for us');

/** The merges matter to who goes through a segment for the second time, from its begin. */
function isPatient({ cursor, walked_at: walkedAt }: CampaignHead, now: Date): boolean {
  if (cursor !== null || walkedAt === undefined) return false;
  return now.getTime() < walkedAt.getTime() + MERGES_WAIT_MS;
}

function stateAfter(
  { segment_id: segmentId, walked_at: walkedAt }: CampaignHead,
  { cursor }: AudiencePage,
  now: Date,
): Partial<AudienceState> {
  if (cursor !== null) return { audience: 'open', cursor };
  const isWhole = segmentId === null || walkedAt !== undefined;
  return isWhole
    ? { audience: 'fixed', cursor, heirs: [] }
    : { audience: 'open', cursor, walked_at: now };
}

/**
 * Those who are not in the audience yet. A client may be in it already, by the place of another who was merged into them, or
 * since the first time that the segment was gone through: then only passes join that have no place.
 */
async function joiningOf(
  deps: Pick<Deps, 'audience' | 'campaigns'>,
  { campaign, members }: { campaign: CampaignHead; members: readonly NewMember[] },
  session: Session,
): Promise<NewMember[]> {
  const { workspace_id: workspaceId, id: campaignId, walked_at: walkedAt } = campaign;
  const memberIds = members.map(({ id }) => id);
  const known = await deps.audience.knownAmong(workspaceId, memberIds, session);
  const unknown = members.filter(({ id }) => !known.has(id));
  // Of now: a merge that is carried out beside this is one that the proof of the claim waits for.
  const current = await deps.campaigns.findHead(workspaceId, campaignId, session);
  const heirs = new Set(current?.heirs);
  const mayBeThere = ({ client_id }: NewMember) => walkedAt !== undefined || heirs.has(client_id);
  const clientIds = [...new Set(unknown.filter(mayBeThere).map(({ client_id }) => client_id))];
  const places = await deps.audience.placesOf(workspaceId, { campaignId, clientIds }, session);
  const placed = new Set(places.map(({ client_id }) => client_id));
  const taken = new Set(places.map(({ pass_id }) => pass_id));
  const hasPlace = ({ client_id, pass_id }: NewMember) =>
    placed.has(client_id) && (pass_id === null || taken.has(pass_id));
  return unknown
    .filter((member) => !hasPlace(member))
    .map((member) => ({ ...member, leads: member.leads && !placed.has(member.client_id) }));
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
  campaign: CampaignHead,
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
