import { type Connection, isDuplicateKey, type Session } from '@laurel/mongo';

export interface LoyaltyConfigDocument {
  _id: string;
  workspace_id: string;
  program_name: string | null;
  program_currency: string;
  settings: Record<string, unknown>;
  date_created: Date;
  date_updated: Date;
}

export type LoyaltyConfigPatch = Partial<
  Pick<LoyaltyConfigDocument, 'program_name' | 'program_currency' | 'settings' | 'date_updated'>
>;

export type LoyaltyConfigStore = ReturnType<typeof createLoyaltyConfigStore>;

export function createLoyaltyConfigStore(connection: Connection) {
  const configs = connection.collection<LoyaltyConfigDocument>('loyalty_configs');

  return {
    find: (workspaceId: string): Promise<LoyaltyConfigDocument | null> =>
      configs.findOne({ workspace_id: workspaceId }),

    /** False when the workspace has one already. */
    async insert(document: LoyaltyConfigDocument, session: Session): Promise<boolean> {
      try {
        await configs.insertOne(document, { session });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    update: (
      workspaceId: string,
      patch: LoyaltyConfigPatch,
      session: Session,
    ): Promise<LoyaltyConfigDocument | null> =>
      configs.findOneAndUpdate(
        { workspace_id: workspaceId },
        { $set: patch },
        { returnDocument: 'after', session },
      ),
  };
}
