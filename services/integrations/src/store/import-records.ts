import type { JsonObject } from '@laurel/errors';
import { type Connection, collection, type Session } from '@laurel/mongo';

const KEPT_SECONDS = 30 * 86_400;
const ENDS = 'stays: until its import has read it, 30 days at most';

/** A transaction that an import has fetched and not yet processed. Gone when the job is at its end. */
export interface ImportRecordRow {
  /** `<job id>:<transaction id>`: a provider that repeats itself over its pages is heard once. */
  _id: string;
  workspace_id: string;
  job_id: string;
  transaction_id: string;
  /** Counts the job's transactions from 0, without gaps. */
  position: number;
  body: JsonObject;
  fetched_at: Date;
}

export const importRecords = collection<ImportRecordRow>('import_records', {
  tenant: 'workspace_id',
  person: {
    column: 'none: nobody has looked yet whom it is about',
    merged: ENDS,
    anonymized: ENDS,
    deleted: 'as anonymized',
    exported: 'withheld: nobody has looked yet whom it is about',
  },
  growth: {
    per: 'record of an import',
    end: '30 days',
    shardKey: ['job_id'],
  },
  indexes: [
    { key: { job_id: 1, position: 1 }, name: 'position', unique: true },
    { key: { workspace_id: 1 }, name: 'workspace' },
    { key: { fetched_at: 1 }, name: 'fetched_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
});

export function createImportRecordStore(connection: Connection) {
  const rows = importRecords.open(connection);

  return {
    /** Adds those that are not there yet, from `position` on; says which transactions that were. */
    async insertMissing(
      records: readonly Omit<ImportRecordRow, 'position'>[],
      position: number,
      session: Session,
    ): Promise<string[]> {
      if (records.length === 0) return [];
      const ids = records.map(({ _id }) => _id);
      const known = await rows.ofEverybody
        .find({ _id: { $in: ids } }, { projection: { _id: 1 }, session })
        .toArray();
      const seen = new Set(known.map(({ _id }) => _id));
      const fresh = records
        .filter(({ _id }) => !seen.has(_id) && seen.add(_id))
        .map((record, index) => ({ ...record, position: position + index }));
      if (fresh.length > 0) await rows.insertMany(fresh, { session });
      return fresh.map(({ transaction_id: id }) => id);
    },

    from: (jobId: string, position: number, limit: number) =>
      rows.ofEverybody
        .find({ job_id: jobId, position: { $gte: position, $lt: position + limit } })
        .sort({ position: 1 })
        .toArray(),

    removeJob: (jobId: string) => rows.ofEverybody.deleteMany({ job_id: jobId }),
  };
}
