import type { MobileUserStatus } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import {
  asRead,
  type Connection,
  collection,
  isDuplicateKey,
  type Rows,
  type Session,
  StaleWrite,
  searchPattern,
  searchTextOf,
  type TenantRows,
  type Version,
} from '@laurel/mongo';
import { emailKey } from '@laurel/values/email';
import { refusals } from '../refusals';
import { phoneKey, phoneKeys } from './phone-key';

/** More who wait for a code to one address at once are somebody's game with it. */
const COMPARED_MAX = 100;

export interface MobileUserRow {
  _id: string;
  workspace_id: string;
  email: string | null;
  phone: string | null;
  /** Absent, like phone_key and linked_user_id, where there is none: the unique indexes are partial. */
  email_key?: string;
  phone_key?: string;
  first_name: string | null;
  last_name: string | null;
  /** Everything that a search looks through, folded. */
  search_text: string;
  status: MobileUserStatus;
  linked_user_id?: string;
  paired_at: Date | null;
  /** When a device was paired or used last, to a minute or two. */
  last_login_at: Date | null;
  metadata: JsonObject;
  /** When the last few pairing codes were made; bounds them per hour. */
  codes_made_at: Date[];
  created_at: Date;
  /** How often what is shown of it changed, and when last; absent while it never did. */
  revision?: number;
  changed_at?: Date;
}

/** An app user as conditions look at it. */
export const versionOfMobileUser = ({
  _id: id,
  revision,
  changed_at: changedAt,
}: MobileUserRow): Version => ({ id, revision, changedAt });

export type MobileUserFields = Pick<
  MobileUserRow,
  'email' | 'phone' | 'first_name' | 'last_name' | 'status' | 'metadata'
> & { linked_user_id?: string };

const uniqueWithin = (field: string) => ({
  key: { workspace_id: 1, [field]: 1 } as const,
  name: `one_${field}`,
  unique: true,
  partialFilterExpression: { [field]: { $exists: true } },
});

export const mobileUsers = collection<MobileUserRow>('mobile_users', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: who may come in is decided anew',
  growth: {
    per: 'user of the app',
    end: 'stays: until the workspace deletes it',
    shardKey: 'whole',
  },
  indexes: [
    uniqueWithin('email_key'),
    uniqueWithin('phone_key'),
    uniqueWithin('linked_user_id'),
    { key: { workspace_id: 1, created_at: -1 }, name: 'newest' },
    { key: { email_key: 1 }, name: 'email' },
    { key: { phone_key: 1 }, name: 'phone' },
  ],
});

type Written = Pick<MobileUserRow, 'email' | 'phone' | 'first_name' | 'last_name'>;

/** The fields that follow from the ones a person wrote. */
function derived(fields: Written, before?: MobileUserRow) {
  const { email, phone, first_name, last_name } = fields;
  return {
    email_key: email === null ? undefined : emailKey(email),
    phone_key: phoneKeyOf(phone, before),
    search_text: searchTextOf(
      [first_name, last_name, email, phone].filter((part) => part).join(' '),
    ),
  };
}

/** A number that stays keeps its key: under the present one another user may have it from before both were the same. */
function phoneKeyOf(phone: string | null, before?: MobileUserRow): string | undefined {
  if (phone === null) return undefined;
  return phone === before?.phone ? before.phone_key : phoneKey(phone);
}

/** The unique index compares present keys; a number that stands under an earlier one is taken as well. */
async function refuseEarlierPhone(
  users: TenantRows<MobileUserRow>,
  { id, phone }: { id: string; phone: string | null },
  session: Session,
): Promise<void> {
  const [, ...earlier] = phone === null ? [] : phoneKeys(phone);
  if (earlier.length === 0) return;
  const other = { _id: { $ne: id }, phone_key: { $in: earlier } };
  if (await users.findOne(other, { session })) throw refusals.mobilePhoneTaken();
}

async function refuseDuplicates<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error, 'linked_user_id')) throw refusals.alreadyLinked();
    if (isDuplicateKey(error, 'email_key')) throw refusals.mobileEmailTaken();
    if (isDuplicateKey(error, 'phone_key')) throw refusals.mobilePhoneTaken();
    throw error;
  }
}

export function createMobileUserStore(connection: Connection) {
  const rows = mobileUsers.open(connection);
  return {
    ...createMobileUserLists(rows),
    ...createMobileUserNotes(rows),

    insert: (
      workspaceId: string,
      { id, now, fields }: { id: string; now: Date; fields: MobileUserFields },
      session: Session,
    ) =>
      refuseDuplicates(async () => {
        const row: MobileUserRow = {
          _id: id,
          workspace_id: workspaceId,
          ...fields,
          ...derived(fields),
          paired_at: null,
          last_login_at: null,
          codes_made_at: [],
          created_at: now,
        };
        await refuseEarlierPhone(rows.of(workspaceId), { id, phone: fields.phone }, session);
        await rows.insertOne(withoutUndefined(row), { session });
        return row;
      }),

    find: (workspaceId: string, id: string, session?: Session) =>
      rows.of(workspaceId).findOne({ _id: id }, { session }),

    /** Replaces what a person may change of `user`; throws StaleWrite where it changed since it was read, or is gone. */
    replaceFields: (
      workspaceId: string,
      user: MobileUserRow,
      { fields, now, session }: { fields: MobileUserFields; now: Date; session: Session },
    ) =>
      refuseDuplicates(async () => {
        const { email_key, phone_key, search_text } = derived(fields, user);
        const own = { id: user._id, phone: fields.phone };
        if (own.phone !== user.phone) await refuseEarlierPhone(rows.of(workspaceId), own, session);
        const unset = {
          ...(email_key === undefined ? { email_key: '' as const } : {}),
          ...(phone_key === undefined ? { phone_key: '' as const } : {}),
        };
        const written = await rows.of(workspaceId).findOneAndUpdate(
          asRead(user),
          {
            $set: {
              ...withoutUndefined({ ...fields, email_key, phone_key, search_text }),
              changed_at: now,
            },
            $inc: { revision: 1 },
            ...(Object.keys(unset).length === 0 ? {} : { $unset: unset }),
          },
          { returnDocument: 'after', session },
        );
        if (!written) throw new StaleWrite('an app user');
        return written;
      }),

    async remove(workspaceId: string, id: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: id }, { session });
    },
  };
}

/** What happens to an app user without a person changing it. */
function createMobileUserNotes(rows: Rows<MobileUserRow>) {
  return {
    noteCodes: (
      workspaceId: string,
      id: string,
      { madeAt, session }: { madeAt: Date[]; session: Session },
    ) =>
      rows.of(workspaceId).updateOne({ _id: id }, { $set: { codes_made_at: madeAt } }, { session }),

    /** Notes that a device was paired. What is shown of `user` is another version by that. */
    async notePairing(
      workspaceId: string,
      user: MobileUserRow,
      { status, now, session }: { status: MobileUserStatus; now: Date; session: Session },
    ): Promise<MobileUserRow> {
      const written = await rows.of(workspaceId).findOneAndUpdate(
        asRead(user),
        {
          $set: { status, paired_at: now, last_login_at: now, changed_at: now },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after', session },
      );
      if (!written) throw new StaleWrite('an app user');
      return written;
    },

    /** Notes that a device of theirs was used, which makes no other version: it happens all day, and under no condition. */
    async noteUse(workspaceId: string, id: string, now: Date): Promise<void> {
      await rows.of(workspaceId).updateOne({ _id: id }, { $max: { last_login_at: now } });
    },
  };
}

function createMobileUserLists(rows: Rows<MobileUserRow>) {
  return {
    async list(
      workspaceId: string,
      query: {
        search?: string | undefined;
        status?: string | undefined;
        limit: number;
        offset: number;
      },
    ): Promise<{ users: MobileUserRow[]; total: number }> {
      const filter = {
        ...(query.status === undefined ? {} : { status: query.status as MobileUserStatus }),
        ...(query.search ? { search_text: { $regex: searchPattern(query.search) } } : {}),
      };
      const [users, total] = await Promise.all([
        rows
          .of(workspaceId)
          .find(filter)
          .sort({ created_at: -1, _id: -1 })
          .skip(query.offset)
          .limit(query.limit)
          .toArray(),
        rows.of(workspaceId).count(filter),
      ]);
      return { users, total };
    },

    /**
     * Those, in whatever workspace, who are known by an e-mail address or phone and had a code made since a moment, the last
     * code first. So many at most: anybody may make an app user of an address, and each of them is a comparison.
     */
    findByIdentifier: (identifier: string, codeSince: Date) =>
      rows.ofEverybody
        .find({
          ...(identifier.includes('@')
            ? { email_key: emailKey(identifier) }
            : { phone_key: { $in: phoneKeys(identifier) } }),
          codes_made_at: { $gte: codeSince },
        })
        .sort({ codes_made_at: -1, _id: -1 })
        .limit(COMPARED_MAX)
        .toArray(),

    findLinkedTo: (workspaceId: string, userId: string) =>
      rows.of(workspaceId).findOne({ linked_user_id: userId }),

    linkedUserIds: async (workspaceId: string): Promise<string[]> => {
      const linked = await rows
        .of(workspaceId)
        .find({ linked_user_id: { $exists: true } })
        .project<{ linked_user_id: string }>({ linked_user_id: 1 })
        .toArray();
      return linked.map((row) => row.linked_user_id);
    },
  };
}

function withoutUndefined<T extends object>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;
}
