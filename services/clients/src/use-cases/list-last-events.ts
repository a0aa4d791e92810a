import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newestEvent } from '../domain/segments/profile';
import { ACTIVE_CATEGORIES } from '../store/activity';

/** What some clients did last, of what they do themselves. */
export async function listLastEvents(
  { profiles }: Pick<Deps, 'profiles'>,
  { workspace_id: workspaceId, ids }: api.ClientIds,
): Promise<api.LastEvents> {
  const times = await profiles.times(workspaceId, ids);
  const events = [...times].flatMap(([client_id, known]) => {
    const newest = newestEvent(known, ACTIVE_CATEGORIES);
    if (newest === null) return [];
    const { category: event_category, type: event_type, at } = newest;
    return [{ client_id, event_category, event_type, event_timestamp: at.toISOString() }];
  });
  return { events };
}
