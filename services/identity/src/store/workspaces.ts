import {
  type Connection,
  collection,
  isDuplicateKey,
  type Rows,
  type Session,
} from '@laurel/mongo';
import type { BrandSettings } from '../domain/brand';
import { defaultPortal, type PortalSettings } from '../domain/portal';
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
  /** Something to try things in (docs/adr/0029); absent where it is live. */
  sandbox?: true;
}

export const workspaces = collection<WorkspaceRow>('workspaces', {
  tenant: '_id',
  person: 'nobody',
  growth: {
    per: 'workspace',
    end: 'stays: until it is deleted',
    shardKey: 'whole',
  },
  indexes: [{ key: { slug: 1 }, name: 'slug', unique: true }],
});

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

function createWorkspaceChanges(rows: Rows<WorkspaceRow>) {
  return {
    update: (workspaceId: string, changes: Partial<WorkspaceRow>, session: Session) =>
      refuseTakenSlug(() =>
        rows
          .of(workspaceId)
          .findOneAndUpdate({}, { $set: changes }, { returnDocument: 'after', session }),
      ),

    updateSettings: (
      workspaceId: string,
      changes: Partial<
        Pick<
          WorkspaceRow['settings'],
          'default_currency' | 'default_locale' | 'timezone' | 'reply_to'
        >
      >,
      { now, session }: { now: Date; session: Session },
    ) =>
      rows
        .of(workspaceId)
        .findOneAndUpdate(
          {},
          { $set: { ...fieldsWithin('settings', changes), 'settings.updated_at': now } },
          { returnDocument: 'after', session },
        ),

    /** Sets what is named of the brand and leaves the rest. Null when the workspace is gone. */
    updateBrand: (workspaceId: string, changes: Partial<BrandSettings>, session: Session) =>
      rows
        .of(workspaceId)
        .findOneAndUpdate(
          {},
          { $set: fieldsWithin('brand', changes) },
          { returnDocument: 'after', session },
        ),

    /**
     * Sets what is named of the portal and leaves the rest, and ends every session of it where the way to sign
     * in becomes another one. Null when the workspace is gone.
     */
    updatePortal: (
      workspaceId: string,
      changes: Partial<PortalSettings>,
      moment: { now: Date; session: Session },
    ) => updatePortal(rows.of(workspaceId), changes, moment),
  };
}

async function updatePortal(
  own: TenantRows<WorkspaceRow>,
  changes: Partial<PortalSettings>,
  { now, session }: { now: Date; session: Session },
): Promise<WorkspaceRow | null> {
  const set = fieldsWithin('portal', changes);
  const after = { returnDocument: 'after', session } as const;
  const { login_mode: mode } = changes;
  if (mode === undefined) return own.findOneAndUpdate({}, { $set: set }, after);
  // One that was never set is the default.
  const same = mode === defaultPortal.login_mode ? [mode, null] : [mode];
  const ending = { $set: { ...set, portal_sessions_since: now } };
  for (;;) {
    const row =
      (await own.findOneAndUpdate({ 'portal.login_mode': { $nin: same } }, ending, after)) ??
      (await own.findOneAndUpdate({ 'portal.login_mode': { $in: same } }, { $set: set }, after));
    // Neither: the workspace is gone, or somebody changed the mode in between.
    if (row || !(await own.findOne({}, { session }))) return row;
  }
}

async function refuseTakenSlug<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) throw refusals.slugTaken();
    throw error;
  }
}

/** Columns of an object in the row, each named alone: those that are not named stay. */
const fieldsWithin = (name: string, columns: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [`${name}.${column}`, value]),
  );
