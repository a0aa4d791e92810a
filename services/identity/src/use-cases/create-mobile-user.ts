import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce, repeatable } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { MobileUserFields } from '../store/mobile-users';
import { toMobileUserReply } from './wire';

/** Puts somebody on the list of the staff app's users; they can sign in once they are paired. */
export async function createMobileUser(
  deps: Deps,
  request: identity.CreateMobileUserRequest,
): Promise<identity.MobileUser> {
  const email = request.email?.trim() || null;
  const phone = request.phone?.trim() || null;
  if (email === null && phone === null) throw refusals.noContact();
  return insert(deps, request.workspace_id, {
    email,
    phone,
    first_name: request.first_name ?? null,
    last_name: request.last_name ?? null,
    status: 'pending',
    metadata: (request.metadata ?? {}) as JsonObject,
  });
}

/** Makes an app user of a workspace member, once; the app role follows the member's. */
export async function createMobileUserFromMember(
  deps: Deps,
  { workspace_id, user_id }: identity.MemberRequest,
): Promise<identity.MobileUser> {
  return repeatable(deps.connection, async () => {
    const [member, user] = await Promise.all([
      deps.members.find(workspace_id, user_id),
      deps.users.find(user_id),
    ]);
    if (!member || !user) throw refusals.notAWorkspaceMember();
    if (await deps.mobileUsers.findLinkedTo(workspace_id, user_id)) throw refusals.alreadyLinked();
    const { email, first_name, last_name } = user;
    return insert(deps, workspace_id, {
      email,
      phone: null,
      first_name,
      last_name,
      status: 'pending',
      metadata: {},
      linked_user_id: user_id,
    });
  });
}

function insert(
  { connection, workspaces, mobileUsers, clock }: Deps,
  workspaceId: string,
  fields: MobileUserFields,
): Promise<identity.MobileUser> {
  const id = newId();
  return commitOnce(connection, async (session) => {
    if (!(await workspaces.find(workspaceId, session))) throw refusals.notAMember();
    const user = { id, now: clock.now(), fields };
    return toMobileUserReply(await mobileUsers.insert(workspaceId, user, session));
  });
}
