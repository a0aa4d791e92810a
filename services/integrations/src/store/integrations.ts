import type { JsonObject } from '@laurel/errors';
import {
  type Connection,
  collection,
  type Growth,
  orStale,
  type Rows,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import { type Sealed, sealedRows } from '@laurel/secrets';

/** A busy integration notes its last success that often at most. */
const SYNC_NOTE_MS = 1_000;
const SET_UP: Growth = {
  per: 'provider',
  end: 'stays: what a workspace has set up',
  shardKey: 'whole',
};

export interface SealedSecret {
  key: string;
  sealed: Sealed;
  last4: string;
  rotated_at: Date;
  /** Whose it is: the origin of the address that it was given for; null, or absent in older rows, while none was known. */
  origin?: string | null;
}

/** How a workspace uses a provider. */
export interface IntegrationRow {
  _id: string;
  workspace_id: string;
  provider: string;
  enabled_inbound: boolean;
  enabled_outbound: boolean;
  inbox_id: string | null;
  config: JsonObject;
  secrets: SealedSecret[];
  last_synced_at: Date | null;
  last_error: string | null;
  /** Counts what people changed, so that no change is made on a state that is no longer there. */
  revision: number;
  date_created: Date;
  date_updated: Date;
}

export const integrations = collection<IntegrationRow>('integrations', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone:
    'left: two workspaces would speak to one account elsewhere, and its secrets are sealed for the source',
  growth: SET_UP,
  indexes: [
    { key: { workspace_id: 1, provider: 1 }, name: 'once_per_provider', unique: true },
    { key: { 'secrets.sealed.key_id': 1 }, name: 'secret_key' },
  ],
});

/** What the encryption of an integration's secret is bound to, so that it is of no use in another row. */
export const integrationBinding = (workspaceId: string, provider: string, key: string): string =>
  `integration ${workspaceId} ${provider} ${key}`;

interface LockDocument {
  _id: string;
  workspace_id: string;
  changes: number;
}

export const integrationLocks = collection<LockDocument>('integration_locks', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: made anew by the first change',
  growth: { ...SET_UP, per: 'workspace' },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

/** Its secrets, as they are sealed anew. */
const sealedOf = (rows: Rows<IntegrationRow>) =>
  sealedRows<IntegrationRow>(rows.ofEverybody, {
    at: 'secrets.sealed',
    valuesOf: ({ workspace_id, provider, secrets }) =>
      secrets.map(({ key, sealed }, index) => ({
        path: `secrets.${index}.sealed`,
        sealed,
        boundTo: integrationBinding(workspace_id, provider, key),
      })),
    also: { $inc: { revision: 1 } },
  });

export function createIntegrationStore(connection: Connection) {
  const rows = integrations.open(connection);
  const locks = integrationLocks.open(connection);

  return {
    ...createNotes(rows),
    sealed: sealedOf(rows),

    /**
     * Makes all changes of an integration wait for each other until the transaction ends. It comes before anything the
     * transaction reads: many that make the same integration at once would else meet at its unique index.
     */
    async lock(workspaceId: string, provider: string, session: Session): Promise<void> {
      const change = { $inc: { changes: 1 } };
      const how = { upsert: true, session };
      const own = { _id: `${workspaceId}:${provider}` };
      await orStale('the integration', locks.of(workspaceId).updateOne(own, change, how));
    },

    get: (workspaceId: string, provider: string, session?: Session) =>
      rows.of(workspaceId).findOne({ provider }, { session }),

    list: (workspaceId: string) =>
      rows.of(workspaceId).find().sort({ workspace_id: 1, provider: 1 }).toArray(),

    /** What of these workspaces tells outside systems of changes, or once did: they may still know somebody. */
    tellingOf: (workspaceIds: readonly string[]) =>
      rows.ofEverybody
        .find(
          {
            workspace_id: { $in: [...workspaceIds] },
            $or: [{ enabled_outbound: true }, { last_synced_at: { $ne: null } }],
          },
          { projection: { workspace_id: 1, provider: 1, config: 1, enabled_outbound: 1 } },
        )
        .toArray(),

    /** Fails as a StaleWrite when somebody else made it first. */
    insert: (row: IntegrationRow, session: Session) =>
      orStale('the integration', rows.insertOne(row, { session })),

    /** Writes what people decide; throws StaleWrite when it was decided on an older state. */
    async replace(row: IntegrationRow, session: Session): Promise<IntegrationRow> {
      const {
        _id,
        workspace_id,
        revision,
        last_synced_at: _at,
        last_error: _why,
        ...columns
      } = row;
      const written = await rows
        .of(workspace_id)
        .findOneAndUpdate(
          { _id, revision },
          { $set: { ...columns, revision: revision + 1 } },
          { session, returnDocument: 'after' },
        );
      if (!written) throw new StaleWrite('the integration');
      return written;
    },

    /** False when it is no longer the one that was read. */
    async remove(
      { workspace_id, _id, revision }: IntegrationRow,
      session: Session,
    ): Promise<boolean> {
      const { deletedCount } = await rows
        .of(workspace_id)
        .deleteOne({ _id, revision }, { session });
      return deletedCount === 1;
    },
  };
}

/** How the last exchange with the provider went. */
function createNotes(rows: Rows<IntegrationRow>) {
  return {
    noteSynced: (workspaceId: string, provider: string, now: Date) =>
      rows.of(workspaceId).updateOne(
        {
          provider,
          $or: [
            { last_synced_at: null },
            { last_synced_at: { $lt: new Date(now.getTime() - SYNC_NOTE_MS) } },
            { last_error: { $ne: null } },
          ],
        },
        { $set: { last_synced_at: now, last_error: null } },
      ),

    noteError: (workspaceId: string, provider: string, error: string) =>
      rows.of(workspaceId).updateOne({ provider }, { $set: { last_error: error } }),
  };
}
