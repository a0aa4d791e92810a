import type { JsonObject } from '@laurel/errors';
import { personExport, shown } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import { collections } from '../collections';
import type { Deps } from '../deps';
import type { Tally } from '../domain/activity';
import type { Member } from '../domain/member';
import { history } from '../store/history';
import { requireMember } from './get-client-tier';
import { toStandingReply } from './wire';

const exportRows = personExport<Pick<Deps, 'connection'>>(collections, [
  shown(history, (_deps, rows) => ({
    history: rows
      .map(({ from_tier_id, to_tier_id, reason, at }) => ({
        from_tier_id,
        to_tier_id,
        reason,
        at: at.toISOString(),
      }))
      .reverse(),
  })),
]);

/** Everything this service holds on a person. An unknown client is refused. */
export async function exportClient(
  deps: Pick<Deps, 'connection' | 'members' | 'clients' | 'tiers'>,
  request: api.ClientRequest,
): Promise<api.ClientExport> {
  const member = await requireMember(deps, request.workspace_id, request.client_id);
  const { tier } = member;
  // As it is called today, if it still stands.
  const held = tier && ((await deps.tiers.find(request.workspace_id, tier.id)) ?? tier);
  const { data } = await exportRows(deps, request);
  return { data: { ...dataOf(member, held?.name ?? null), ...data } };
}

function dataOf(member: Member, tierName: string | null): JsonObject {
  const { profile, activity } = member;
  return {
    first_name: profile.firstName,
    last_name: profile.lastName,
    email: profile.email,
    custom_fields: profile.customFields,
    standing: { ...toStandingReply(member), tier_name: tierName },
    lifetime: tallyData(activity.lifetime),
    days: activity.days.map((one) => ({ day: one.day, ...tallyData(one) })),
  };
}

function tallyData({ earned, spending, transactions }: Tally) {
  const points = Object.entries(earned).map(([code, units]) => [code, toDecimal(units)]);
  return { earned: Object.fromEntries(points), spending: toDecimal(spending), transactions };
}
