import {
  type Connection,
  collection,
  isDuplicateKey,
  type Rows,
  type Session,
  StaleWrite,
  type Version,
} from '@laurel/mongo';
import type { BrandSettings } from '../domain/brand';
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
    /** IANA name; absent until it is set. */
    timezone?: string;
    /** Where answers to mails go; absent or null: to the platform's own address. */
    reply_to?: string | null;
    created_at: Date;
    updated_at: Date;
  };
  /** What was ever set of it; null and absent are the same. */
  brand?: Partial<BrandSettings>;
  /** What was ever set of the portal; the rest is the brand's, or as `defaultPortal` says. */
  portal?: Partial<PortalSettings>;
  /** Sessions of the portal from before this moment are over; absent while none were ended together. */
  portal_sessions_since?: Date;
  /** Raised by every change of who belongs to it, so that two such changes cannot pass each other. */
  members_revision: number;
  /** Of each part that is set by itself: how often that was, and when last; absent while it never was. Name and slug go with the settings. */
  versions?: { [Name in WorkspacePart]?: { revision: number; changed_at: Date } };
  /** Something to try things in (docs/adr/0029); absent where it is live. */
  sandbox?: true;
  /** The workspace that it was made like; absent where it was made of nothing. */
  cloned_from?: string;
}

export type WorkspacePart = 'settings' | 'brand' | 'portal';

/** A part of a workspace as conditions look at it. */
export function versionOfPart({ _id: id, versions }: WorkspaceRow, part: WorkspacePart): Version {
  return { id, revision: versions?.[part]?.revision, changedAt: versions?.[part]?.changed_at };
}

export const workspaces = collection<WorkspaceRow>('workspaces', {
  tenant: '_id',
  person: 'nobody',
  clone: 'left: it is made when all else is there (use-cases/work-clone.ts)',
  growth: {
    per: 'workspace',
    end: 'stays: until it is deleted',
    shardKey: 'whole',
  },
  indexes: [{ key: { slug: 1 }, name: 'slug', unique: true }],
});

export interface PartChange<Part extends WorkspacePart> {
  part: Part;
  changes: Partial<NonNullable<WorkspaceRow[Part]>>;
  now: Date;
  /** From when on sessions of the portal count; those from before end. */
  sessionsSince?: Date | undefined;
}

export function createWorkspaceStore(connection: Connection) {
  const rows = workspaces.open(connection);

  return {
    ...createWorkspaceChanges(rows),

    insert: (row: WorkspaceRow, session: Session) =>
      refuseTakenSlug(async () => {
        await rows.insertOne(row, { session });
      }),

    find: (workspaceId: string, session?: Session) => rows.of(workspaceId).findOne({}, { session }),
    findBySlug: (slug: string) => rows.ofEverybody.findOne({ slug }),
    findMany: (ids: readonly string[]) =>
      rows.ofEverybody.find({ _id: { $in: [...ids] } }).toArray(),
    isSlugTaken: async (slug: string) =>
      (await rows.ofEverybody.countDocuments({ slug }, { limit: 1 })) > 0,

    /** Holds the workspace's membership still for this transaction; refuses when the workspace is gone. */
    async lockMembers(workspaceId: string, session: Session): Promise<WorkspaceRow> {
      const row = await rows
        .of(workspaceId)
        .findOneAndUpdate(
          {},
          { $inc: { members_revision: 1 } },
          { returnDocument: 'after', session },
        );
      if (!row) throw refusals.notAMember();
      return row;
    },

    async remove(workspaceId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({}, { session });
    },
  };
}

/** How a workspace is changed: its columns, and the parts that have a version of their own. */
function createWorkspaceChanges(rows: Rows<WorkspaceRow>) {
  return {
    /**
     * Names a workspace anew as it was read. Its name is of the version of its settings, with which it is shown and changed.
     * Throws StaleWrite where one of them changed since then, or the workspace is gone.
     */
    rename: (
      read: WorkspaceRow,
      { changes, now }: { changes: Partial<Pick<WorkspaceRow, 'name' | 'slug'>>; now: Date },
      session: Session,
    ) =>
      refuseTakenSlug(async () => {
        const written = await rows.of(read._id).findOneAndUpdate(
          { 'versions.settings.revision': read.versions?.settings?.revision ?? null },
          {
            $set: { ...changes, 'versions.settings.changed_at': now },
            $inc: { 'versions.settings.revision': 1 },
          },
          { returnDocument: 'after', session },
        );
        if (!written) throw new StaleWrite('the name of a workspace');
        return written;
      }),

    /**
     * Sets what is named of a part of a workspace as it was read, and leaves the rest. Throws StaleWrite where the part was set
     * since then, or the workspace is gone.
     */
    async setPart<Part extends WorkspacePart>(
      read: WorkspaceRow,
      { part, changes, now, sessionsSince }: PartChange<Part>,
      session: Session,
    ): Promise<WorkspaceRow> {
      const named = Object.entries(changes).map(([name, value]) => [`${part}.${name}`, value]);
      const version = `versions.${part}`;
      const written = await rows.of(read._id).findOneAndUpdate(
        { [`${version}.revision`]: read.versions?.[part]?.revision ?? null },
        {
          $set: {
            ...Object.fromEntries(named),
            [`${version}.changed_at`]: now,
            ...(sessionsSince ? { portal_sessions_since: sessionsSince } : {}),
          },
          $inc: { [`${version}.revision`]: 1 },
        },
        { returnDocument: 'after', session },
      );
      if (!written) throw new StaleWrite(`the ${part} of a workspace`);
      return written;
    },
  };
}

async function refuseTakenSlug<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) throw refusals.slugTaken();
    throw error;
  }
}
