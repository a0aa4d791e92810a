import type { EventOf } from '@laurel/events';
import { isLater } from '@laurel/values/position';
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
    const { client, client_revision: revision = null } = event.data;
    const asOf = { revision, at: new Date(event.time) };
    if (!isLater(asOf, newest.get(client.id)?.asOf ?? null)) continue;
    const { id, first_name, last_name, email } = client;
    newest.set(id, { id, workspaceId: event.workspaceid, asOf, first_name, last_name, email });
  }
  await people.record([...newest.values()]);
}
