import { invalidField, Refusal } from '@laurel/errors';
import { checkAndCommitOnce, type Session } from '@laurel/mongo';
import type { tiers as api, clients } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isEligible, learnStanding, type Member, strangerMember } from '../domain/member';
import { programmeOf } from '../domain/programme';
import { refusals } from '../refusals';
import { rulesBehind } from './causes';
import { requireConfiguration } from './read-programme';
import { type SettleDeps, settleMember } from './settle-member';
import { toStandingReply } from './wire';

const DURATION_DAYS_MAX = 3_650;
const DAY_MS = 86_400_000;

type AssignDeps = SettleDeps & Pick<Deps, 'connection' | 'tierSets' | 'tiers' | 'clients'>;

/**
 * Gives a client an exclusive tier, for some days or until it is taken away. It takes the place of an
 * earlier assignment.
 */
export async function assignTier(
  deps: AssignDeps,
  request: api.AssignTierRequest,
): Promise<api.Standing> {
  const check = () => introductionFor(deps, request);
  return checkAndCommitOnce(deps.connection, check, async (session, introduceTo) => {
    const assigned = await decidedOn(deps, request, { introduceTo, session });
    return toStandingReply(await settleMember(deps, assigned, session));
  });
}

/** What is asked of a request before anything is decided; gives how the client is introduced to the keeper of members. */
export async function introductionFor(
  deps: Pick<Deps, 'tierSets' | 'tiers' | 'clients' | 'clock'>,
  request: api.AssignTierRequest,
): Promise<Introduce> {
  const { workspace_id: workspaceId, client_id: clientId, tier_id: tierId } = request;
  durationOf(request);
  await requireExclusive(deps, workspaceId, tierId);
  return standingOf(deps, workspaceId, clientId);
}

type Introduce = (member: Member) => Member;

/** The assignment of a request as things stand, to be settled; refused where the client cannot have a tier. */
export async function decidedOn(
  deps: Pick<Deps, 'tierSets' | 'tiers' | 'members' | 'clock'>,
  request: api.AssignTierRequest,
  { introduceTo, session }: { introduceTo: Introduce; session?: Session },
) {
  const { workspace_id: workspaceId, client_id: clientId, tier_id: tierId } = request;
  const { set, tiers } = await requireConfiguration(deps, workspaceId, session);
  if (tiers.find(({ id }) => id === tierId)?.kind !== 'exclusive')
    throw refusals.tierNotFound({ field: 'tier_id' });
  const found = await deps.members.find(workspaceId, clientId, session);
  const member = introduceTo(found ?? strangerMember(workspaceId, clientId));
  if (!isEligible(member)) throw refusals.clientHasNoTiers({ field: 'client_id' });
  const now = deps.clock.now();
  return {
    member: assignedTo(member, { tierId, days: durationOf(request), now }),
    programme: programmeOf(set, tiers),
    mode: 'activity',
    reason: 'assigned',
    now,
  } as const;
}

/** The member with the tier, as of now, given by the rules that the work going on comes of. */
export function assignedTo(
  member: Member,
  { tierId, days, now }: { tierId: string; days: number | null; now: Date },
): Member {
  const expiresAt = days === null ? null : new Date(now.getTime() + days * DAY_MS);
  const assignment = { tierId, assignedAt: now, expiresAt };
  return { ...member, assignment, givenBy: rulesBehind() };
}

/** For how many days; null without an end. */
export function durationOf({
  duration_days: days = null,
}: Pick<api.AssignTierRequest, 'duration_days'>): number | null {
  if (days === null) return null;
  if (!Number.isInteger(days) || days < 1 || days > DURATION_DAYS_MAX) {
    const sentence = `duration_days must be a whole number from 1 to ${DURATION_DAYS_MAX}`;
    throw invalidField('duration_days', sentence);
  }
  return days;
}

/** Refused where the workspace has no such tier, or one that cannot be assigned. */
export async function requireExclusive(
  deps: Pick<Deps, 'tierSets' | 'tiers'>,
  workspaceId: string,
  tierId: string,
): Promise<void> {
  const { tiers } = await requireConfiguration(deps, workspaceId);
  const tier = tiers.find(({ id }) => id === tierId);
  if (!tier) throw refusals.tierNotFound({ field: 'tier_id' });
  if (tier.kind !== 'exclusive') throw refusals.notExclusive({ field: 'tier_id' });
}

/**
 * What the clients service says of a client right now, to be taken over by the member: the events that
 * tell the same may still be on their way. An unknown client is refused.
 */
async function standingOf(
  { clients: peer, clock }: Pick<Deps, 'clients' | 'clock'>,
  workspaceId: string,
  clientId: string,
): Promise<Introduce> {
  const at = clock.now().toISOString();
  const standing = await askStanding(peer, workspaceId, clientId);
  if (!standing) throw refusals.unknownClient({ field: 'client_id' });
  const { status, loyalty_program_enabled: enabled, revision = null } = standing;
  return (member) => learnStanding(member, { enabled, status }, { at, revision });
}

/** A client's standing; null when the workspace has no such client. */
export async function askStanding(
  { GetClientStanding: ask }: Pick<Deps['clients'], 'GetClientStanding'>,
  workspaceId: string,
  clientId: string,
): Promise<clients.ClientStanding | null> {
  try {
    return await ask({ workspace_id: workspaceId, client_id: clientId });
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 404) return null;
    throw error;
  }
}
