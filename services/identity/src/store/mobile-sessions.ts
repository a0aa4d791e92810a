import { type Connection, collection, type Session } from '@laurel/mongo';

export interface MobileSessionRow {
  _id: string;
  workspace_id: string;
  mobile_user_id: string;
  device_name: string | null;
  device_os: string | null;
  created_at: Date;
  last_active_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** Set where the refresh token lives in a cookie; such a token is no good anywhere else. */
  of_page?: true;
}

export const mobileSessions = collection<MobileSessionRow>('mobile_sessions', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: who may come in is decided anew',
  growth: {
    per: 'phone of staff',
    end: 'when it ends',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, mobile_user_id: 1 }, name: 'user' },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
  ],
});

const isLive = (now: Date) => ({ revoked_at: null, expires_at: { $gt: now } });

export function createMobileSessionStore(connection: Connection) {
  const rows = mobileSessions.open(connection);

  const idsOf = async (
    workspaceId: string,
    filter: object,
    session?: Session,
  ): Promise<string[]> => {
    const found = rows.of(workspaceId).find(filter, { session, projection: { _id: 1 } });
    return (await found.toArray()).map(({ _id }) => _id);
  };

  return {
    async insert(row: Omit<MobileSessionRow, 'revoked_at'>, session: Session): Promise<void> {
      await rows.insertOne({ ...row, revoked_at: null }, { session });
    },

    /** By the session's own id: the one lookup that learns the workspace from it. */
    findLive: (id: string, now: Date, session?: Session) =>
      rows.ofEverybody.findOne({ _id: id, ...isLive(now) }, { session }),
    findRevoked: (id: string, session: Session) =>
      rows.ofEverybody.findOne({ _id: id, revoked_at: { $ne: null } }, { session }),

    find: (workspaceId: string, mobileUserId: string, id: string) =>
      rows.of(workspaceId).findOne({ _id: id, mobile_user_id: mobileUserId }),

    list: (workspaceId: string, mobileUserId: string) =>
      rows
        .of(workspaceId)
        .find({ mobile_user_id: mobileUserId, revoked_at: null })
        .sort({ last_active_at: -1, _id: -1 })
        .toArray(),

    liveIdsOfUser: (workspaceId: string, mobileUserId: string) =>
      idsOf(workspaceId, { mobile_user_id: mobileUserId, revoked_at: null }),
    liveIdsOfWorkspace: (workspaceId: string) => idsOf(workspaceId, { revoked_at: null }),

    /** With those that ended; of one user or of all. */
    ids: (workspaceId: string, mobileUserId?: string, session?: Session) => {
      const ofWhom = mobileUserId === undefined ? {} : { mobile_user_id: mobileUserId };
      return idsOf(workspaceId, ofWhom, session);
    },

    /** False when the session ended meanwhile. */
    async extend(
      workspaceId: string,
      id: string,
      { now, expiresAt, session }: { now: Date; expiresAt: Date; session: Session },
    ): Promise<boolean> {
      const { matchedCount } = await rows
        .of(workspaceId)
        .updateOne(
          { _id: id, revoked_at: null },
          { $set: { expires_at: expiresAt, last_active_at: now } },
          { session },
        );
      return matchedCount === 1;
    },

    async touch(workspaceId: string, id: string, now: Date): Promise<void> {
      await rows.of(workspaceId).updateOne({ _id: id }, { $set: { last_active_at: now } });
    },

    async revoke(workspaceId: string, id: string, now: Date): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne({ _id: id, revoked_at: null }, { $set: { revoked_at: now } });
    },

    async removeOfUser(workspaceId: string, mobileUserId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ mobile_user_id: mobileUserId }, { session });
    },
  };
}
