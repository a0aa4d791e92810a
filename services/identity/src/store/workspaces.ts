import {
  type CollectionIndexes,
  type Connection,
  isDuplicateKey,
  type Session,
} from '@laurel/mongo';
import type { PortalSettings } from '../domain/portal';
import { refusals } from '../refusals';

export interface WorkspaceRow {
  _id: string;
  name: string;
  slug: string;
  creator_id: string;
  created_at: Date;
  settings: {
    id: string;
    default_currency: string;
    default_locale: string;
    created_at: Date;
    updated_at: Date;
  };
  /** What was ever set of the portal; the rest is as `defaultPortal` says. */
  portal?: Partial<PortalSettings>;
  /** Raised by every change of who belongs to it, so that two such changes cannot pass each other. */
  members_revision: number;
}

export const workspaceIndexes: CollectionIndexes = {
  collection: 'workspaces',
  indexes: [{ key: { slug: 1 }, name: 'slug', unique: true }],
};

export function createWorkspaceStore(connection: Connection) {
  const rows = connection.collection<WorkspaceRow>('workspaces');

  async function refuseTakenSlug<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (isDuplicateKey(error)) throw refusals.slugTaken();
      throw error;
    }
  }

  return {
    insert: (row: WorkspaceRow, session: Session) =>
      refuseTakenSlug(async () => {
        await rows.insertOne(row, { session });
      }),
    find: (workspaceId: string, session?: Session) =>
      rows.findOne({ _id: workspaceId }, { session }),
    findBySlug: (slug: string) => rows.findOne({ slug }),
    findMany: (ids: readonly string[]) => rows.find({ _id: { $in: [...ids] } }).toArray(),
    isSlugTaken: async (slug: string) => (await rows.countDocuments({ slug }, { limit: 1 })) > 0,

    update: (workspaceId: string, changes: Partial<WorkspaceRow>, session: Session) =>
      refuseTakenSlug(() =>
        rows.findOneAndUpdate(
          { _id: workspaceId },
          { $set: changes },
          { returnDocument: 'after', session },
        ),
      ),

    updateSettings: (
      workspaceId: string,
      changes: Partial<Pick<WorkspaceRow['settings'], 'default_currency' | 'default_locale'>>,
      now: Date,
      session: Session,
    ) => {
      const set = Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [`settings.${name}`, value]),
      );
      return rows.findOneAndUpdate(
        { _id: workspaceId },
        { $set: { ...set, 'settings.updated_at': now } },
        { returnDocument: 'after', session },
      );
    },

    /** Sets what is named of the portal and leaves the rest; null when the workspace is gone. */
    updatePortal: (workspaceId: string, changes: Partial<PortalSettings>) =>
      rows.findOneAndUpdate(
        { _id: workspaceId },
        {
          $set: Object.fromEntries(
            Object.entries(changes).map(([name, value]) => [`portal.${name}`, value]),
          ),
        },
        { returnDocument: 'after' },
      ),

    /** Holds the workspace's membership still for this transaction; refuses when the workspace is gone. */
    async lockMembers(workspaceId: string, session: Session): Promise<WorkspaceRow> {
      const row = await rows.findOneAndUpdate(
        { _id: workspaceId },
        { $inc: { members_revision: 1 } },
        { returnDocument: 'after', session },
      );
      if (!row) throw refusals.notAMember();
      return row;
    },

    async remove(workspaceId: string, session: Session): Promise<void> {
      await rows.deleteOne({ _id: workspaceId }, { session });
    },
  };
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;
