import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { betterMeasure } from '../domain/evaluate';
import { type Member, strangerMember } from '../domain/member';
import { programmeOf } from '../domain/programme';
import { progressOf, shownMetrics } from '../domain/progress';
import { refusals } from '../refusals';
import { askStanding } from './assign-tier';
import { type Configuration, readConfiguration } from './read-programme';
import { toStandingReply, toTierReply, toTierSetReply } from './wire';

type ReadDeps = Pick<Deps, 'members' | 'tierSets' | 'tiers' | 'clients' | 'clock'>;

/** A client's tier and the way to the next. An unknown client is refused. */
export async function getClientTier(
  deps: ReadDeps,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientTier> {
  const member = await requireMember(deps, workspaceId, clientId);
  const configuration = await readConfiguration(deps, workspaceId);
  if (!configuration) {
    const nowhere = { manually_assigned: false, promoted_at: null, expires_at: null };
    return { client_id: clientId, ...nowhere };
  }
  return { client_id: clientId, ...describe(member, configuration, deps.clock.now()) };
}

function describe(
  member: Member,
  { set, tiers }: Configuration,
  now: Date,
): Omit<api.ClientTier, 'client_id'> {
  const programme = programmeOf(set, tiers);
  const held = tiers.find(({ id }) => id === member.tier?.id) ?? null;
  const valueFor = betterMeasure(member.activity, programme, now);
  const { current, next, toNext, metric, value, target } = progressOf(programme, held, valueFor);
  // A tier that is gone is no tier, also before the resync has been here.
  const { manually_assigned, promoted_at, expires_at } = toStandingReply(
    held ? member : { ...member, tier: null, promotedAt: null },
  );
  return {
    tier_set: toTierSetReply(set, tiers),
    ...(held ? { tier: toTierReply(held) } : {}),
    manually_assigned,
    promoted_at,
    expires_at,
    metrics: shownMetrics(set.conditions, valueFor),
    progress: {
      ...(current ? { current_tier: toTierReply(current) } : {}),
      ...(next ? { next_tier: toTierReply(next) } : {}),
      progress_to_next: toNext,
      metric,
      metric_value: value,
      metric_target: target,
    },
  };
}

/** The member; asks the clients service about one that this service has not heard of. */
export async function requireMember(
  deps: Pick<Deps, 'members' | 'clients'>,
  workspaceId: string,
  clientId: string,
): Promise<Member> {
  const member = await deps.members.find(workspaceId, clientId);
  if (member?.state === 'alive') return member;
  if (!(await askStanding(deps.clients, workspaceId, clientId))) throw refusals.clientNotFound();
  return strangerMember(workspaceId, clientId);
}
