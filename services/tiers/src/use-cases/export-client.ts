import { toDecimal } from '@laurel/amount';
import type { Json } from '@laurel/errors';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Tally } from '../domain/activity';
import { requireMember } from './get-client-tier';
import { toStandingReply } from './replies';

const HISTORY_MAX = 10_000;

/** Everything this service holds on a person. */
export async function exportClient(
  deps: Pick<Deps, 'members' | 'history' | 'clients'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientExport> {
  const member = await requireMember(deps, workspaceId, clientId);
  const history = await deps.history.list(workspaceId, clientId, HISTORY_MAX);
  const { profile, activity } = member;
  const data = {
    first_name: profile.firstName,
    last_name: profile.lastName,
    email: profile.email,
    custom_fields: profile.customFields,
    standing: { ...toStandingReply(member), tier_name: member.tier?.name ?? null },
    lifetime: shown(activity.lifetime),
    days: activity.days.map((one) => ({ day: one.day, ...shown(one) })),
    history: history.map(({ from_tier_id, to_tier_id, reason, at }) => ({
      from_tier_id,
      to_tier_id,
      reason,
      at: at.toISOString(),
    })),
  };
  return { data: data as unknown as Json };
}

function shown({ earned, spending, transactions }: Tally) {
  const points = Object.entries(earned).map(([code, units]) => [code, toDecimal(units)]);
  return { earned: Object.fromEntries(points), spending: toDecimal(spending), transactions };
}
