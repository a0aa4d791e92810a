import { createEvent } from '@laurel/events';
import { commitOnce } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Ids in one transaction, and in one events.deleted. */
const BATCH = 500;

/** Deletes events of a workspace; foreign and unknown ids are passed over. Points and metrics stay. */
export async function deleteEvents(
  { connection, events, outbox }: Pick<Deps, 'connection' | 'events' | 'outbox'>,
  { workspace_id: workspaceId, event_ids: eventIds }: api.DeleteEventsRequest,
): Promise<api.DeletedEvents> {
  const ids = [...new Set(eventIds)];
  let deleted = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    deleted += await commitOnce(connection, async (session) => {
      const gone = await events.remove(workspaceId, ids.slice(at, at + BATCH), session);
      if (gone.length === 0) return 0;
      const data = { event_ids: gone };
      const told = createEvent('events.deleted', { workspaceId, subject: gone[0]!, data });
      await outbox.append([told], session);
      return gone.length;
    });
  }
  return { deleted };
}
