import { type Connection, collection, orStale, type Session, StaleWrite } from '@laurel/mongo';
import { total, type Units, ZERO } from '@laurel/values/amount';

/** What a client bought: kept beside the client, so that a purchase does not rewrite the client. */
export interface ClientMetrics {
  clientId: string;
  workspaceId: string;
  transactionCount: number;
  totalSpending: Units;
  lastTransactionAt: Date | null;
  revision: number;
}

interface MetricsDocument {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  transaction_count: number;
  total_spending: number;
  last_transaction_at: Date | null;
  revision: number;
}

export const clientMetrics = collection<MetricsDocument>('client_metrics', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: 'by hand: use-cases/run-process.ts',
    anonymized: 'stays: sums beside an id',
    deleted: 'goes',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'client',
    end: 'stays: goes with its client',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

export function createMetricsStore(connection: Connection) {
  const rows = clientMetrics.open(connection);

  return {
    /** The metrics of each client asked for; zeros for one that never bought. */
    async findMany(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<Map<string, ClientMetrics>> {
      const filter = { _id: { $in: [...clientIds] } };
      const stored = await rows.of(workspaceId).find(filter, { session }).toArray();
      const found = new Map(clientIds.map((id) => [id, blank(workspaceId, id)]));
      for (const row of stored) found.set(row._id, fromDocument(row));
      return found;
    },

    /** Writes the next revisions in one go; throws StaleWrite when somebody else wrote one since it was read. */
    async save(changed: readonly ClientMetrics[], session: Session): Promise<void> {
      if (changed.length === 0) return;
      const writes = changed.map((one) => {
        const next = toDocument({ ...one, revision: one.revision + 1 });
        const filter = { _id: one.clientId, revision: one.revision };
        return one.revision === 0
          ? { insertOne: { document: next } }
          : { replaceOne: { filter, replacement: next } };
      });
      const saving = rows.bulkWrite(writes, { session });
      const { insertedCount, matchedCount } = await orStale('the metrics of a client', saving);
      if (insertedCount + matchedCount !== writes.length)
        throw new StaleWrite('the metrics of a client');
    },

    async remove(workspaceId: string, clientId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: clientId }, { session });
    },
  };
}

function blank(workspaceId: string, clientId: string): ClientMetrics {
  return {
    clientId,
    workspaceId,
    transactionCount: 0,
    totalSpending: ZERO,
    lastTransactionAt: null,
    revision: 0,
  };
}

function toDocument(metrics: ClientMetrics): MetricsDocument {
  return {
    _id: metrics.clientId,
    workspace_id: metrics.workspaceId,
    transaction_count: metrics.transactionCount,
    total_spending: metrics.totalSpending,
    last_transaction_at: metrics.lastTransactionAt,
    revision: metrics.revision,
  };
}

function fromDocument(row: MetricsDocument): ClientMetrics {
  return {
    clientId: row._id,
    workspaceId: row.workspace_id,
    transactionCount: row.transaction_count,
    totalSpending: total(row.total_spending),
    lastTransactionAt: row.last_transaction_at,
    revision: row.revision,
  };
}
