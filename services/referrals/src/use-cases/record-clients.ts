import type { EventOf } from '@laurel/events';
import type { Deps } from '../deps';
import type { Snapshot } from '../store/people';

/**
 * Takes over names from clients.created and clients.updated; of several about one client, the newest. They carry when
 * they were so, which makes repeating them harmless.
 */
export async function recordClients(
  { people }: Pick<Deps, 'people'>,
  events: readonly EventOf<'clients.created' | 'clients.updated'>[],
): Promise<void> {
  const newest = new Map<string, Snapshot>();
  for (const event of events) {
    const { client } = event.data;
    const asOf = new Date(event.time);
    const known = newest.get(client.id);
    if (known && known.asOf >= asOf) continue;
    const { id, first_name, last_name, email } = client;
    newest.set(id, { id, workspaceId: event.workspaceid, asOf, first_name, last_name, email });
  }
  await people.record([...newest.values()]);
}
