import { type Connection, collection, type Session } from '@laurel/mongo';

export const installs = collection<InstallDocument>('wallet_installs', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: it is of passes, which are of clients',
  growth: {
    per: 'pass',
    end: 'stays: goes with its pass',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
});

interface InstallDocument {
  _id: string;
  workspace_id: string;
  apple: number;
  google: number;
}

/** On how many devices a pass is. */
export interface Installs {
  apple: number;
  google: number;
}

/**
 * On how many devices each pass is. Every registration and removal writes the row of its pass, so that of two at once
 * one waits for the other, and only one of them is the first or the last.
 */
export function createInstallStore(connection: Connection) {
  const rows = installs.open(connection);

  return {
    /** Adds `by` devices of one wallet; returns how many there are now. */
    async add(
      workspaceId: string,
      { passId, wallet, by }: { passId: string; wallet: keyof Installs; by: 1 | -1 },
      session: Session,
    ): Promise<Installs> {
      const other = wallet === 'apple' ? 'google' : 'apple';
      const row = await rows
        .of(workspaceId)
        .findOneAndUpdate(
          { _id: passId },
          { $inc: { [wallet]: by }, $setOnInsert: { [other]: 0 } },
          { upsert: true, returnDocument: 'after', session },
        );
      return { apple: row!.apple, google: row!.google };
    },

    async remove(workspaceId: string, passId: string, session?: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: passId }, { session });
    },
  };
}
