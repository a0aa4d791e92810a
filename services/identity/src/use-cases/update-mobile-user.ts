import { authKeys } from '@laurel/auth-cache';
import type { MobileUserStatus } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import {
  type MobileUserFields,
  type MobileUserRow,
  versionOfMobileUser,
} from '../store/mobile-users';
import { revokeFound } from './revoke-found';
import { toVersionedMobileUserReply } from './wire';

/** Changes an app user; a suspended one is out of the app on the next request. */
export async function updateMobileUser(
  deps: Deps,
  request: identity.UpdateMobileUserRequest,
): Promise<identity.MobileUser> {
  const { connection, clock, mobileUsers, mobileSessions, pairingCodes } = deps;
  const { workspace_id, id } = request;
  const look = async () =>
    (await mobileSessions.liveIdsOfUser(workspace_id, id)).map(authKeys.mobile);
  return revokeFound(deps, look, () =>
    unitOfWork(connection, async (session) => {
      const user = await mobileUsers.find(workspace_id, id, session);
      if (!user) throw refusals.mobileUserNotFound();
      requireUnchanged(versionOfMobileUser(user));
      const fields = changed(user, request);
      if (fields.email === null && fields.phone === null) throw refusals.noContact();
      // A code that was sent to the one before may be in other hands: the other contact alone would let it in.
      if (fields.email !== user.email || fields.phone !== user.phone)
        await pairingCodes.removeOfUser(workspace_id, id, session);
      const change = { fields, now: clock.now(), session };
      return toVersionedMobileUserReply(
        await mobileUsers.replaceFields(workspace_id, user, change),
      );
    }),
  );
}

function changed(user: MobileUserRow, request: identity.UpdateMobileUserRequest): MobileUserFields {
  const trimmed = (value: string | null) => value?.trim() || null;
  return {
    email: request.email === undefined ? user.email : trimmed(request.email),
    phone: request.phone === undefined ? user.phone : trimmed(request.phone),
    first_name: request.first_name === undefined ? user.first_name : request.first_name,
    last_name: request.last_name === undefined ? user.last_name : request.last_name,
    status: (request.status as MobileUserStatus | undefined) ?? user.status,
    metadata: request.metadata === undefined ? user.metadata : (request.metadata as JsonObject),
  };
}
