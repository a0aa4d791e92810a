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
}

interface SigningKeyDocument {
  _id: 'checkpoint';
  private_key: string;
}

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(connection: Connection) {
  const checkpoints = connection.collection<CheckpointDocument>('checkpoints');
  const keys = connection.collection<SigningKeyDocument>('signing_keys');

  return {
    /** False when another replica took the checkpoint of that hour. */
    async insert(document: CheckpointDocument): Promise<boolean> {
      try {
        await checkpoints.insertOne(document);
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
