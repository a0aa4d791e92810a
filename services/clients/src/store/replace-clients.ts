import { type Rows, type Session, StaleWrite } from '@laurel/mongo';
import type { Client } from '../domain/client';
import { type ClientDocument, toDocument } from './mapping';
import type { ProfileStore } from './profiles';
import type { createSearchStore } from './search';

interface Followers {
  search: ReturnType<typeof createSearchStore>;
  profiles: ProfileStore;
}

/**
 * Writes the next revisions of clients in one go, and what is found and segmented by them. Throws StaleWrite when one is
 * no longer the one that was read.
 */
export function createReplaceAll(
  clients: Pick<Rows<ClientDocument>, 'bulkWrite'>,
  { search, profiles }: Followers,
) {
  return async (changed: readonly Client[], session: Session): Promise<Client[]> => {
    if (changed.length === 0) return [];
    const next = changed.map((client) => ({ ...client, revision: client.revision + 1 }));
    const documents = next.map(toDocument);
    const writes = changed.map(({ id, workspace_id, revision }, index) => ({
      replaceOne: { filter: { _id: id, workspace_id, revision }, replacement: documents[index]! },
    }));
    const { matchedCount } = await clients.bulkWrite(writes, { session });
    if (matchedCount !== writes.length) throw new StaleWrite('the client');
    await search.updateAll(documents, session);
    await profiles.followAll(changed, session);
    return next;
  };
}
