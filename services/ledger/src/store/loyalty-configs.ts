import {
  asRead,
  type Connection,
  collection,
  orStale,
  type Session,
  StaleWrite,
} from '@laurel/mongo';

export interface LoyaltyConfigDocument {
  _id: string;
  workspace_id: string;
  program_name: string | null;
  program_currency: string;
  settings: Record<string, unknown>;
  /** Counts what people changed; those of before it was counted have none. */
  revision?: number;
  date_created: Date;
  date_updated: Date;
}

export const loyaltyConfigs = collection<LoyaltyConfigDocument>('loyalty_configs', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'workspace',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace', unique: true }],
});

export type LoyaltyConfigPatch = Partial<
  Pick<LoyaltyConfigDocument, 'program_name' | 'program_currency' | 'settings' | 'date_updated'>
>;

export type LoyaltyConfigStore = ReturnType<typeof createLoyaltyConfigStore>;

export function createLoyaltyConfigStore(connection: Connection) {
  const rows = loyaltyConfigs.open(connection);

  return {
    find: (workspaceId: string, session?: Session): Promise<LoyaltyConfigDocument | null> =>
      rows.of(workspaceId).findOne({}, { session }),

    /** Throws StaleWrite when the workspace has got one meanwhile. */
    async insert(document: LoyaltyConfigDocument, session: Session): Promise<void> {
      await orStale('the loyalty config', rows.insertOne(document, { session }));
    },

    /** Throws StaleWrite when it is no longer the one that was read. */
    async update(
      read: LoyaltyConfigDocument,
      patch: LoyaltyConfigPatch,
      session: Session,
    ): Promise<LoyaltyConfigDocument> {
      const written = await rows
        .of(read.workspace_id)
        .findOneAndUpdate(
          asRead(read),
          { $set: patch, $inc: { revision: 1 } },
          { returnDocument: 'after', session },
        );
      if (!written) throw new StaleWrite('the loyalty config');
      return written;
    },
  };
}
