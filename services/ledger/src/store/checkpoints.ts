import { type Connection, collection, isDuplicateKey, numberedPage } from '@laurel/mongo';

export interface CheckpointDocument {
  _id: string;
  workspace_id: string;
  /** The full hour up to which it holds. */
  at: Date;
  wallets: number;
  root: string;
  signature: string;
  key_id: string;
  public_key: string;
  /** When it goes; there once a later one of its day was taken. The last of a day stays. */
  expires_at?: Date;
}

interface SigningKeyDocument {
  _id: 'checkpoint';
  private_key: string;
}

export const checkpoints = collection<CheckpointDocument>('checkpoints', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: the chain of the clone is its own',
  growth: {
    per: 'workspace and hour',
    end: 'RETENTION_HOURLY_CHECKPOINTS_DAYS (90), the last of each day stays: evidence',
    shardKey: ['workspace_id', 'at'],
  },
  indexes: [
    { key: { workspace_id: 1, at: 1 }, name: 'hour', unique: true },
    { key: { at: 1, workspace_id: 1 }, name: 'of_hour' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
});

export const signingKeys = collection<SigningKeyDocument>('signing_keys', {
  tenant: 'none: one key signs for all',
  person: 'nobody',
  growth: {
    per: 'installation',
    end: 'stays: checkpoints are verified by it',
    shardKey: 'whole',
  },
  indexes: [],
});

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

const DAY_MS = 86_400_000;

/** @param hourlyKeptMs how long a checkpoint is kept that is not the last of its day (docs/adr/0033) */
export function createCheckpointStore(connection: Connection, hourlyKeptMs: number) {
  const rows = checkpoints.open(connection);
  const keys = signingKeys.open(connection).ofEverybody;

  /** Gives those of the same day that came before a checkpoint their end. */
  async function endEarlier({ workspace_id, at }: CheckpointDocument): Promise<void> {
    const day = new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
    await rows
      .of(workspace_id)
      .updateMany(
        { at: { $gte: day, $lt: at }, expires_at: { $exists: false } },
        { $set: { expires_at: new Date(at.getTime() + hourlyKeptMs) } },
      );
  }

  return {
    /** False when another replica took the checkpoint of that hour. */
    async insert(document: CheckpointDocument): Promise<boolean> {
      try {
        await rows.insertOne(document);
        await endEarlier(document);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    find: (workspaceId: string, id: string): Promise<CheckpointDocument | null> =>
      rows.of(workspaceId).findOne({ _id: id }),

    async list(
      workspaceId: string,
      page: { limit: number; offset: number },
    ): Promise<{ checkpoints: CheckpointDocument[]; total: number }> {
      const listing = { filter: {}, sort: { at: -1, _id: -1 } } as const;
      const { documents, total } = await numberedPage(rows.of(workspaceId), listing, page);
      return { checkpoints: documents, total };
    },

    /** The workspaces, of these, that have a checkpoint of that hour. */
    async having(at: Date): Promise<Set<string>> {
      const found = await rows.ofEverybody
        .find({ at })
        .project<{ workspace_id: string }>({ workspace_id: 1 })
        .batchSize(100_000)
        .toArray();
      return new Set(found.map((row) => row.workspace_id));
    },

    /** The key kept here, for deployments that were given none: `made` becomes it unless there is one. */
    async keepKey(made: string): Promise<string> {
      try {
        await keys.insertOne({ _id: 'checkpoint', private_key: made });
        return made;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await keys.findOne({ _id: 'checkpoint' }))!.private_key;
      }
    },
  };
}
