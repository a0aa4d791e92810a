import { type Connection, isDuplicateKey } from '@laurel/mongo';

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

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

const DAY_MS = 86_400_000;

/** @param hourlyKeptMs how long a checkpoint is kept that is not the last of its day (docs/adr/0033) */
export function createCheckpointStore(connection: Connection, hourlyKeptMs: number) {
  const checkpoints = connection.collection<CheckpointDocument>('checkpoints');
  const keys = connection.collection<SigningKeyDocument>('signing_keys');

  /** Gives those of the same day that came before a checkpoint their end. */
  async function endEarlier({ workspace_id, at }: CheckpointDocument): Promise<void> {
    const day = new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
    await checkpoints.updateMany(
      { workspace_id, at: { $gte: day, $lt: at }, expires_at: { $exists: false } },
      { $set: { expires_at: new Date(at.getTime() + hourlyKeptMs) } },
    );
  }

  return {
    /** False when another replica took the checkpoint of that hour. */
    async insert(document: CheckpointDocument): Promise<boolean> {
      try {
        await checkpoints.insertOne(document);
        await endEarlier(document);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    find: (workspaceId: string, id: string): Promise<CheckpointDocument | null> =>
      checkpoints.findOne({ workspace_id: workspaceId, _id: id }),

    async list(
      workspaceId: string,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ checkpoints: CheckpointDocument[]; total: number }> {
      const [found, total] = await Promise.all([
        checkpoints
          .find({ workspace_id: workspaceId })
          .sort({ at: -1, _id: -1 })
          .skip(offset)
          .limit(limit)
          .toArray(),
        checkpoints.countDocuments({ workspace_id: workspaceId }),
      ]);
      return { checkpoints: found, total };
    },

    /** The workspaces, of these, that have a checkpoint of that hour. */
    async having(at: Date): Promise<Set<string>> {
      const found = await checkpoints
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
