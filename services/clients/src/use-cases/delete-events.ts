import { createEvent } from '@laurel/events';
import { commitOnce } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { withoutEvent } from '../domain/segments/profile-changes';
import { changesByClient } from './insert-trail';

/** Ids in one transaction, and in one events.deleted. */
const BATCH = 500;

/** Deletes events of a workspace; foreign and unknown ids are passed over. Points and metrics of all time stay. */
export async function deleteEvents(
  {
    activity,
    connection,
    events,
    outbox,
    profiles,
  }: Pick<Deps, 'activity' | 'connection' | 'events' | 'outbox' | 'profiles'>,
  { workspace_id: workspaceId, event_ids: eventIds }: api.DeleteEventsRequest,
): Promise<api.DeletedEvents> {
  const ids = [...new Set(eventIds)];
  let deleted = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    deleted += await commitOnce(connection, async (session) => {
      const gone = await events.remove(workspaceId, ids.slice(at, at + BATCH), session);
      if (gone.length === 0) return 0;
      await activity.mark(gone);
      const forget = changesByClient(gone, withoutEvent);
      await profiles.revise(workspaceId, forget, session);
      const data = { event_ids: gone.map(({ id }) => id) };
      const told = createEvent('events.deleted', { workspaceId, subject: gone[0]!.id, data });
      await outbox.append([told], session);
      return gone.length;
    });
  }
  return { deleted };
}
