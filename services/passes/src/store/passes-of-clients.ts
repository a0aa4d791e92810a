import type { Rows, Session } from '@laurel/mongo';
import type { Pass } from '../domain/pass/pass';
import { type PassDocument, toPass } from './pass-document';
import { NEWEST } from './pass-rows';

// That there is a client is named, or the partial index does not serve.
const ofClients = (clientIds: readonly string[]) => ({
  client_id: { $exists: true, $in: [...clientIds] },
});

/** What is asked of the passes of clients. */
export function createPassesOfClients(rows: Rows<PassDocument>) {
  return {
    /** Newest first. */
    async listOfClients(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<Pass[]> {
      const found = rows.of(workspaceId).find(ofClients(clientIds), { session });
      return (await found.sort(NEWEST).toArray()).map(toPass);
    },

    async idsOfClients(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<string[]> {
      const options = { projection: { _id: 1 }, session };
      const found = await rows.of(workspaceId).find(ofClients(clientIds), options).toArray();
      return found.map((row) => row._id);
    },

    /** Whose some passes are, by their ids; null where a pass is no client's. */
    async holdersOf(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<Map<string, string | null>> {
      if (ids.length === 0) return new Map();
      const options = { projection: { client_id: 1 } };
      const found = await rows
        .of(workspaceId)
        .find({ _id: { $in: [...ids] } }, options)
        .toArray();
      return new Map(found.map(({ _id, client_id: holder = null }) => [_id, holder]));
    },

    /** Notes that somebody who has not shown to be the client has all of the client's passes. */
    async handOut(workspaceId: string, clientId: string, session: Session): Promise<void> {
      const change = { $set: { handed_out: true, safe_generation: null }, $inc: { revision: 1 } };
      await rows.of(workspaceId).updateMany(ofClients([clientId]), change, { session });
    },
  };
}
