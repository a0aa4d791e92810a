import { keptOperation } from '@laurel/lifecycle';
import { commitEachOnce } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isEligible, learnStanding, type Member, strangerMember } from '../domain/member';
import { programmeOf } from '../domain/programme';
import { refusals } from '../refusals';
import { assignedTo, durationOf, requireExclusive } from './assign-tier';
import { requireConfiguration } from './read-programme';
import { type Change, recordMoves } from './record-moves';
import { type SettleDeps, settled } from './settle-member';

type AssignDeps = SettleDeps & Pick<Deps, 'connection' | 'tierSets' | 'tiers' | 'clients'>;

/**
 * Gives many clients one exclusive tier, each as `assignTier` does, in one transaction (docs/adr/0027). Each assignment is
 * an operation of its own: one that was done is passed over, however the others end.
 */
export async function assignTiers(
  deps: AssignDeps,
  request: api.AssignTiersRequest,
): Promise<api.AssignedClients> {
  const { workspace_id: workspaceId, tier_id: tierId, assignments } = request;
  const days = durationOf(request);
  await requireExclusive(deps, workspaceId, tierId);
  const introduce = await introducing(deps, request);
  const contexts = assignments.map(({ operation_id }) => keptOperation(operation_id));
  const decisions = await commitEachOnce<{ refusal?: string }>(
    deps.connection,
    contexts,
    async (session, fresh) => {
      const { set, tiers } = await requireConfiguration(deps, workspaceId, session);
      if (tiers.find(({ id }) => id === tierId)?.kind !== 'exclusive')
        throw refusals.tierNotFound({ field: 'tier_id' });
      const ids = fresh.map((at) => assignments[at]!.client_id);
      const found = await deps.members.findMany(workspaceId, ids, session);
      const known = new Map(found.map((member) => [member.id, member]));
      const now = deps.clock.now();
      const programme = programmeOf(set, tiers);
      const occasion = { programme, mode: 'activity', reason: 'assigned' } as const;
      const changes: Change[] = [];
      const decided = ids.map((id) => {
        const member = introduce(known.get(id) ?? strangerMember(workspaceId, id));
        if (typeof member === 'string') return { refusal: member };
        changes.push(settled(assignedTo(member, { tierId, days, now }), occasion, now));
        return {};
      });
      await recordMoves(deps, { workspaceId, changes }, session);
      return decided;
    },
  );
  // What an earlier version kept of an operation is the standing of the client.
  return {
    clients: decisions.map(({ refusal }, index) => ({
      client_id: assignments[index]!.client_id,
      ...(refusal === undefined ? {} : { refusal }),
    })),
  };
}

/**
 * What the clients service says of the clients right now, to be taken over by the members: the events that tell the same
 * may still be on their way. Why a client cannot have a tier, in words, where that is so.
 */
async function introducing(
  { clients, clock }: AssignDeps,
  { workspace_id, assignments }: api.AssignTiersRequest,
): Promise<(member: Member) => Member | string> {
  const at = clock.now().toISOString();
  const ids = [...new Set(assignments.map(({ client_id }) => client_id))];
  const { clients: found, revisions } = await clients.GetClients({ workspace_id, ids });
  const standings = new Map(
    found.map((client, place) => [
      client.id,
      { ...client, revision: revisions?.of_clients[place] ?? null },
    ]),
  );
  return (member) => {
    const standing = standings.get(member.id);
    if (!standing) return refusals.unknownClient().message;
    const { status, loyalty_program_enabled: enabled, revision } = standing;
    const introduced = learnStanding(member, { enabled, status }, { at, revision });
    return isEligible(introduced) ? introduced : refusals.clientHasNoTiers().message;
  };
}
