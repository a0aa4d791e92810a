import { createEvent, type EventMap, findDefinition } from '@laurel/events';
import { newId } from '@laurel/lifecycle';

/** What rules hear of a client who came by. */
export function visitOf(workspaceId: string, clientId: string) {
  const { example } = findDefinition('engagement.visit')!;
  const data = { ...(example as EventMap['engagement.visit']), id: newId() };
  return createEvent('engagement.visit', {
    workspaceId,
    subject: clientId,
    data: { ...data, workspace_id: workspaceId, client_id: clientId },
  });
}
