import { type Connection, collection, type Session } from '@laurel/mongo';
import { isLater, type Position, takenOver } from '@laurel/values/position';

interface PassDocument {
  _id: string;
  workspace_id: string;
  /** null: without a client, or gone. */
  client_id: string | null;
  template_id: string;
  as_of: string;
  /** How often the pass had been written by then; null where that was not said, absent in rows of earlier releases. */
  revision?: number | null;
  deleted: boolean;
}

export const passes = collection<PassDocument>('passes', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'moves',
    anonymized: 'stays: ids alone',
    deleted: 'stays: a pass is nobody’s once the passes service says so',
    exported: 'withheld: the passes service shows them',
  },
  growth: {
    per: 'pass',
    end: 'stays: goes with its pass',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1, client_id: 1 }, name: 'of_client' }],
});

/** What a pass event says. `asOf` is its position: an older one changes nothing. */
export interface PassReport {
  passId: string;
  clientId: string | null;
  templateId: string;
  asOf: Position<string>;
  deleted: boolean;
}

/** Whose pass is on which template: a read model of the passes service, for filtering clients. */
export function createPassStore(connection: Connection) {
  const rows = passes.open(connection);

  return {
    /** Takes a report over. Returns the clients whose templates may have changed by it. */
    async put(
      workspaceId: string,
      { passId, clientId, templateId, asOf, deleted }: PassReport,
      session: Session,
    ): Promise<string[]> {
      const known = await rows.of(workspaceId).findOne({ _id: passId }, { session });
      const knownAsOf = known && { at: known.as_of, revision: known.revision ?? null };
      if (known?.deleted || !(deleted || isLater(asOf, knownAsOf))) return [];
      const owner = deleted ? null : clientId;
      const columns = { workspace_id: workspaceId, client_id: owner, template_id: templateId };
      const { at, revision } = takenOver(asOf, knownAsOf);
      const document = { ...columns, as_of: at, revision, deleted };
      await rows.of(workspaceId).replaceOne({ _id: passId }, document, { upsert: true, session });
      return [known?.client_id, owner].filter((id) => typeof id === 'string');
    },

    async templatesOf(workspaceId: string, clientId: string, session: Session): Promise<string[]> {
      const own = await rows.of(workspaceId).find({ client_id: clientId }, { session }).toArray();
      return [...new Set(own.map((row) => row.template_id))].sort();
    },
  };
}
