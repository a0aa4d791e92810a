import { currentContext, newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

interface NotedChange {
  workspaceId: string;
  action: string;
  entity: string;
  entityId: string;
  now: Date;
}

/**
 * Notes a change in the log of a workspace that the caller's request did not name, so that the
 * gateway could not: opening it, and entering it by an invitation.
 */
export async function noteChange(
  { audit }: Deps,
  { workspaceId, action, entity, entityId, now }: NotedChange,
  session: Session,
): Promise<void> {
  const { actor, requestId } = currentContext();
  await audit.append(
    {
      _id: newId(),
      workspace_id: workspaceId,
      actor: { type: actor.type, id: actor.id, email: actor.email ?? null },
      action,
      entity,
      entity_id: entityId,
      request_id: requestId,
      at: now,
      changes: [],
    },
    session,
  );
}
