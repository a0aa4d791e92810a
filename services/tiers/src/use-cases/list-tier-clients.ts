import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { betterMeasure } from '../domain/evaluate';
import type { Member } from '../domain/member';
import { type Programme, programmeOf } from '../domain/programme';
import { shownMetrics } from '../domain/progress';
import { refusals } from '../refusals';
import { LOYALTY_DISABLED, UNTIERED } from '../store/mapping';
import { requireKnownTemplate } from './configuration-fields';
import { readConfiguration } from './read-programme';
import { toStandingReply } from './wire';

/** Clients and their tiers, those who came last first. Empty without a tier set. Unknown ids are refused. */
export async function listTierClients(
  deps: Pick<Deps, 'members' | 'tierSets' | 'tiers' | 'passTemplates' | 'clock'>,
  request: api.ListTierClientsRequest,
): Promise<api.TierClientPage> {
  const { workspace_id: workspaceId, tier_id: group, limit, offset } = request;
  const configuration = await readConfiguration(deps, workspaceId);
  const tierIds = (configuration?.tiers ?? []).map(({ id }) => id);
  if (group !== undefined && ![UNTIERED, LOYALTY_DISABLED, ...tierIds].includes(group))
    throw refusals.tierNotFound({ field: 'tier_id' });
  const { search, pass_template_id: templateId, custom_fields } = request;
  await requireKnownTemplate(deps, { workspaceId, templateId, withMigrating: true });
  if (!configuration) return { clients: [], total: 0 };
  const { set, tiers } = configuration;
  const customFields = custom_fields.map(({ field_name: name, values }) => ({ name, values }));
  const filter = { group, tierIds, search, templateId, customFields };
  const { members, total } = await deps.members.list(workspaceId, filter, { limit, offset });
  const programme = programmeOf(set, tiers);
  const now = deps.clock.now();
  return { clients: members.map((member) => toRow(member, programme, now)), total };
}

function toRow(member: Member, programme: Programme, now: Date): api.TierClient {
  const { id, profile } = member;
  const tier = programme.tiers.find((one) => one.id === member.tier?.id) ?? null;
  const { manually_assigned, promoted_at } = toStandingReply(member);
  const valueFor = betterMeasure(member.activity, programme, now);
  return {
    client_id: id,
    first_name: profile.firstName,
    last_name: profile.lastName,
    email: profile.email,
    tier_id: tier?.id ?? null,
    tier_name: tier?.name ?? null,
    tier_color: tier?.color ?? null,
    promoted_at: tier ? promoted_at : null,
    manually_assigned: tier !== null && manually_assigned,
    condition_values: shownMetrics(programme.conditions, valueFor),
  };
}
