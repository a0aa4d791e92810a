import type { common, identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { MobileUserRow } from '../store/mobile-users';
import { toMobileSessionReply, toMobileUserReply, toVersionedMobileUserReply } from './wire';

export async function listMobileUsers(
  { mobileUsers }: Deps,
  { workspace_id, limit, offset, search, status }: identity.ListMobileUsersRequest,
): Promise<identity.MobileUserList> {
  const { users, total } = await mobileUsers.list(workspace_id, { limit, offset, search, status });
  return { data: users.map(toMobileUserReply), total };
}

export async function getMobileUser(deps: Deps, request: common.Id): Promise<identity.MobileUser> {
  return toVersionedMobileUserReply(await existingMobileUser(deps, request));
}

export async function listMobileSessions(
  deps: Deps,
  request: common.Id,
): Promise<identity.MobileSessionList> {
  const user = await existingMobileUser(deps, request);
  const rows = await deps.mobileSessions.list(request.workspace_id, user._id);
  return { data: rows.map(toMobileSessionReply) };
}

/** Members that no app user is linked to yet. */
export async function listLinkableUsers(
  { members, mobileUsers, users }: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.LinkableUserList> {
  const linked = new Set(await mobileUsers.linkedUserIds(workspace_id));
  const free = (await members.list(workspace_id)).filter((member) => !linked.has(member.user_id));
  const people = await users.findMany(free.map((member) => member.user_id));
  const byId = new Map(people.map((user) => [user._id, user]));
  const data = free.flatMap((member) => {
    const user = byId.get(member.user_id);
    if (!user) return [];
    const { _id: id, email, first_name, last_name } = user;
    return [{ id, email, first_name, last_name }];
  });
  return { data };
}

export async function existingMobileUser(
  { mobileUsers }: Deps,
  { workspace_id, id }: common.Id,
): Promise<MobileUserRow> {
  const user = await mobileUsers.find(workspace_id, id);
  if (!user) throw refusals.mobileUserNotFound();
  return user;
}
