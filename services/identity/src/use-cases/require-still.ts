import { platform } from '@laurel/errors';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { roleOf } from '../domain/roles';
import { refusals } from '../refusals';

interface Asked {
  workspaceId: string;
  callerId: string;
  permission: 'manage_members' | 'remove_members' | 'invite_users';
}

/**
 * Refuses who may not do this any more: since the gateway looked, another admin may have been as quick. To be asked while
 * the members of the workspace are locked, by whatever lets somebody in or puts somebody out.
 */
export async function requireStill(
  { members }: Pick<Deps, 'members'>,
  { workspaceId, callerId, permission }: Asked,
  session: Session,
): Promise<void> {
  const caller = await members.find(workspaceId, callerId, session);
  if (caller?.status !== 'active') throw refusals.notAMember();
  if (!roleOf(workspaceId, caller.role).permissions.includes(permission))
    throw platform.forbidden({ message: `this needs the permission ${permission}` });
}

/**
 * A workspace keeps at least one admin (part 3, section 16). A net: who asks is an admin and stays one, which `requireStill`
 * has found, so that only a fault of the code comes here.
 */
export async function requireAdminLeft(
  { members }: Pick<Deps, 'members'>,
  workspaceId: string,
  session: Session,
): Promise<void> {
  if ((await members.countAdmins(workspaceId, session)) === 0) throw refusals.lastAdmin();
}
