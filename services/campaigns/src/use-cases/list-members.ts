import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Member } from '../domain/audience';
import { findHead } from './change-campaign';
import { clientsById } from './manual-clients';
import { timestampOf } from './wire';

type ListDeps = Pick<Deps, 'audience' | 'campaigns' | 'clients'>;

/** Who the campaign was for when its execution started, in the order of execution; empty before. */
export async function listMembers(
  deps: ListDeps,
  { workspace_id: workspaceId, campaign_id: campaignId, limit, offset }: api.ListMembersRequest,
): Promise<api.MemberPage> {
  const { members: total } = await findHead(deps, workspaceId, campaignId);
  const range = { after: offset, count: limit };
  const members = await deps.audience.range(workspaceId, campaignId, range);
  return { members: await withNames(deps, workspaceId, members), total };
}

/** Members for whom an action failed. */
export async function listErrors(
  deps: ListDeps,
  { workspace_id: workspaceId, campaign_id: campaignId, limit, offset }: api.ListMembersRequest,
): Promise<api.MemberPage> {
  await findHead(deps, workspaceId, campaignId);
  const wanted = { campaignId, status: 'failed' as const };
  const failed = await deps.audience.withStatus(workspaceId, wanted, { limit, offset });
  return {
    members: await withNames(deps, workspaceId, failed.members),
    total: failed.total,
  };
}

/** Names are asked of the service that keeps them, so that what is erased there is erased here. */
async function withNames(
  deps: Pick<Deps, 'clients'>,
  workspaceId: string,
  members: readonly Member[],
): Promise<api.Member[]> {
  const ids = [...new Set(members.map((member) => member.client_id))];
  const people = new Map<string, Pick<api.Member, 'first_name' | 'last_name' | 'email'>>();
  for await (const batch of clientsById(deps, workspaceId, ids))
    for (const { id, first_name, last_name, email } of batch)
      people.set(id, { first_name, last_name, email });
  const nobody = { first_name: null, last_name: null, email: null };
  return members.map((member) => ({
    id: member.id,
    pass_id: member.pass_id,
    client_id: member.client_id,
    status: member.status,
    error_message: member.error_message,
    processed_at: timestampOf(member.processed_at),
    ...(people.get(member.client_id) ?? nobody),
    project_id: member.project_id,
    pass_template_id: member.pass_template_id,
    outcomes: Object.entries(member.outcomes).map(([campaign_action_id, result]) => ({
      campaign_action_id,
      result,
    })),
  }));
}
