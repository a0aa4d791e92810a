import { platform } from '@laurel/errors';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { roleOf } from '../domain/roles';
import { refusals } from '../refusals';

interface Asked {
  workspaceId: string;
  callerId: string;
  permission: 'manage_members' | 'remove_members';
}

/**
 * Refuses who may not do this any more: since the gateway looked, another admin may have been as quick. To be asked while
 * the members of the workspace are locked.
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
