import { type Connection, collection, isDuplicateKey, type Session } from '@laurel/mongo';

export interface MobileAppAccessRow {
  /** The workspace. */
  _id: string;
  is_enabled: boolean;
  allowed_role_ids: string[] | null;
  changed_at: Date;
}

export const mobileAppAccess = collection<MobileAppAccessRow>('mobile_app_access', {
  tenant: '_id',
  person: 'nobody',
  clone: 'copied',
  growth: { per: 'workspace', end: 'stays: what a workspace has set up', shardKey: 'whole' },
  indexes: [],
});

/** What the app configs of the passes service say about who may use the app: a copy, never the source. */
export function createMobileAppAccessStore(connection: Connection) {
  const rows = mobileAppAccess.open(connection);
  return {
    find: (workspaceId: string) => rows.of(workspaceId).findOne({}),

    /** Takes a state over unless a newer one is known. */
    async put(
      workspaceId: string,
      state: Omit<MobileAppAccessRow, '_id'>,
      session?: Session,
    ): Promise<void> {
      try {
        await rows
          .of(workspaceId)
          .updateOne(
            { changed_at: { $lte: state.changed_at } },
            { $set: state },
            { upsert: true, session },
          );
      } catch (error) {
        // The row is there and newer: the upsert tried to insert beside it.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    async remove(workspaceId: string): Promise<void> {
      await rows.of(workspaceId).deleteOne({});
    },
  };
}
