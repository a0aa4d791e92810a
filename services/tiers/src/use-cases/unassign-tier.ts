import { checkAndCommitOnce } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { strangerMember } from '../domain/member';
import { programmeOf } from '../domain/programme';
import { refusals } from '../refusals';
import { askStanding } from './assign-tier';
import { requireConfiguration } from './read-programme';
import { type SettleDeps, settleMember } from './settle-member';
import { toStandingReply } from './wire';

/**
 * Ends a client's assignment, or only that to one tier; the client falls to the auto tier due. Where
 * there is no such assignment nothing happens.
 */
export async function unassignTier(
  deps: SettleDeps & Pick<Deps, 'connection' | 'tierSets' | 'tiers' | 'clients'>,
  { workspace_id: workspaceId, client_id: clientId, tier_id: tierId }: api.UnassignTierRequest,
): Promise<api.Standing> {
  const check = async () => {
    await requireConfiguration(deps, workspaceId);
    if (!(await askStanding(deps.clients, workspaceId, clientId)))
      throw refusals.unknownClient({ field: 'client_id' });
  };
  return checkAndCommitOnce(deps.connection, check, async (session) => {
    const { set, tiers } = await requireConfiguration(deps, workspaceId, session);
    const found = await deps.members.find(workspaceId, clientId, session);
    const member = found ?? strangerMember(workspaceId, clientId);
    const { assignment } = member;
    if (!assignment || (tierId !== undefined && assignment.tierId !== tierId))
      return toStandingReply(member);
    const freed = {
      member: { ...member, assignment: null },
      programme: programmeOf(set, tiers),
      // As where it ends by itself: the client did nothing.
      mode: 'review',
      reason: 'unassigned',
      now: deps.clock.now(),
    } as const;
    return toStandingReply(await settleMember(deps, freed, session));
  });
}
