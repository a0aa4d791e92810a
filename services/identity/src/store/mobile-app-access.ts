import { type Connection, isDuplicateKey, type Session } from '@laurel/mongo';

export interface MobileAppAccessRow {
  /** The workspace. */
  _id: string;
  is_enabled: boolean;
  allowed_role_ids: string[] | null;
  changed_at: Date;
}

/** What the app configs of the passes service say about who may use the app: a copy, never the source. */
export function createMobileAppAccessStore(connection: Connection) {
  const rows = connection.collection<MobileAppAccessRow>('mobile_app_access');
  return {
    find: (workspaceId: string) => rows.findOne({ _id: workspaceId }),

    /** Takes a state over unless a newer one is known. */
    async put(
      workspaceId: string,
      state: Omit<MobileAppAccessRow, '_id'>,
      session?: Session,
    ): Promise<void> {
      try {
        await rows.updateOne(
          { _id: workspaceId, changed_at: { $lte: state.changed_at } },
          { $set: state },
          { upsert: true, session },
        );
      } catch (error) {
        // The row is there and newer: the upsert tried to insert beside it.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    async remove(workspaceId: string, session: Session): Promise<void> {
      await rows.deleteOne({ _id: workspaceId }, { session });
    },
  };
}

export type MobileAppAccessStore = ReturnType<typeof createMobileAppAccessStore>;
