import { type Connection, collection, type Session } from '@laurel/mongo';
import type { RoleName } from '../domain/roles';

export interface MemberRow {
  /** `<workspace>:<user>`: no user is a member twice. */
  _id: string;
  workspace_id: string;
  user_id: string;
  role: RoleName;
  status: 'active' | 'suspended';
  joined_at: Date;
  last_active_at: Date | null;
}

export const members = collection<MemberRow>('members', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: who may come in is decided anew',
  growth: {
    per: 'member of staff',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, joined_at: 1 }, name: 'workspace' },
    { key: { user_id: 1 }, name: 'user' },
  ],
});

const idOf = (workspaceId: string, userId: string): string => `${workspaceId}:${userId}`;

export function createMemberStore(connection: Connection) {
  const rows = members.open(connection);
  return {
    /** False when the user is a member already. */
    async insert(
      workspaceId: string,
      { userId, role, now }: { userId: string; role: RoleName; now: Date },
      session: Session,
    ): Promise<boolean> {
      if (await rows.of(workspaceId).findOne({ _id: idOf(workspaceId, userId) }, { session }))
        return false;
      await rows.insertOne(
        {
          _id: idOf(workspaceId, userId),
          workspace_id: workspaceId,
          user_id: userId,
          role,
          status: 'active',
          joined_at: now,
          last_active_at: null,
        },
        { session },
      );
      return true;
    },

    find: (workspaceId: string, userId: string, session?: Session) =>
      rows.of(workspaceId).findOne({ _id: idOf(workspaceId, userId) }, { session }),

    list: (workspaceId: string, session?: Session) =>
      rows.of(workspaceId).find({}, { session }).sort({ joined_at: 1, _id: 1 }).toArray(),

    listOfUser: (userId: string) =>
      rows.ofEverybody.find({ user_id: userId }).sort({ joined_at: 1 }).toArray(),

    async setRole(
      workspaceId: string,
      userId: string,
      { role, session }: { role: RoleName; session: Session },
    ): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne({ _id: idOf(workspaceId, userId) }, { $set: { role } }, { session });
    },

    countAdmins: (workspaceId: string, session: Session) =>
      rows.of(workspaceId).count({ role: 'admin', status: 'active' }, { session }),

    async touch(workspaceId: string, userId: string, now: Date): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne({ _id: idOf(workspaceId, userId) }, { $set: { last_active_at: now } });
    },

    async remove(workspaceId: string, userId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: idOf(workspaceId, userId) }, { session });
    },

    async removeAll(workspaceId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({}, { session });
    },
  };
}
