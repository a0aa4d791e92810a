import { type Connection, collection, isDuplicateKey, type Session } from '@laurel/mongo';
import { emailKey } from '@laurel/values/email';
import { refusals } from '../refusals';

export interface Preferences {
  language: string | null;
  theme: string | null;
  density: string | null;
}

export interface UserRow {
  _id: string;
  email: string;
  email_key: string;
  first_name: string | null;
  last_name: string | null;
  /** null for those who only ever signed on through a provider. */
  password_hash: string | null;
  google_subject?: string;
  /** Whether somebody has shown to read its mails; absent on accounts from before that was asked. */
  email_verified?: boolean;
  /**
   * Whether the password was set by somebody who had proven the address; absent on those that were set at a
   * registration without proof, or before that was kept.
   */
  password_proven?: boolean;
  last_login_at: Date | null;
  /** How the person likes the pages; what is absent is as the browser says. */
  preferences?: Partial<Preferences>;
  /** Raised by whatever makes or ends credentials, so that two such changes cannot pass each other. */
  credentials_revision?: number;
  created_at: Date;
}

export type NewUser = Pick<
  UserRow,
  '_id' | 'email' | 'first_name' | 'last_name' | 'password_hash'
> & {
  google_subject?: string;
  email_verified: boolean;
  password_proven?: boolean;
};

export const users = collection<UserRow>('users', {
  tenant: 'none: people belong to no workspace',
  person: 'nobody',
  growth: {
    per: 'user',
    end: 'stays: accounts of staff; the directory of all cells',
    shardKey: 'whole',
  },
  indexes: [
    { key: { email_key: 1 }, name: 'email', unique: true },
    {
      key: { google_subject: 1 },
      name: 'google_subject',
      unique: true,
      partialFilterExpression: { google_subject: { $exists: true } },
    },
  ],
});

/** Preferences are set one by one: of two that are stated at once neither takes the other back. */
function columnsOf({ preferences = {}, ...columns }: Partial<UserRow>): Partial<UserRow> {
  const stated = Object.entries(preferences).map(([name, value]) => [`preferences.${name}`, value]);
  return { ...columns, ...Object.fromEntries(stated) };
}

/** People. They belong to no workspace, so nothing here is led by one. */
export function createUserStore(connection: Connection) {
  const rows = users.open(connection).ofEverybody;
  return {
    async insert(user: NewUser, now: Date, session: Session): Promise<UserRow> {
      const row: UserRow = {
        ...user,
        email_key: emailKey(user.email),
        last_login_at: null,
        created_at: now,
      };
      try {
        await rows.insertOne(row, { session });
      } catch (error) {
        if (isDuplicateKey(error)) throw refusals.emailTaken();
        throw error;
      }
      return row;
    },

    find: (id: string, session?: Session) => rows.findOne({ _id: id }, { session }),
    findByEmail: (email: string, session?: Session) =>
      rows.findOne({ email_key: emailKey(email) }, { session }),
    findByGoogleSubject: (subject: string, session?: Session) =>
      rows.findOne({ google_subject: subject }, { session }),
    findMany: (ids: readonly string[]) => rows.find({ _id: { $in: [...ids] } }).toArray(),

    /** Changes a user as long as the password is still the one that was checked; null when it is not. */
    updateIfPassword: (
      { id, passwordHash }: { id: string; passwordHash: string | null },
      changes: Partial<UserRow>,
      session: Session,
    ) =>
      rows.findOneAndUpdate(
        { _id: id, password_hash: passwordHash },
        { $set: columnsOf(changes) },
        { returnDocument: 'after', session },
      ),

    update: (id: string, changes: Partial<UserRow>, session: Session) =>
      rows.findOneAndUpdate(
        { _id: id },
        { $set: columnsOf(changes) },
        { returnDocument: 'after', session },
      ),

    /** Gives an account to whom a provider vouches for; null once somebody has proven its address. */
    takeOver: (id: string, { subject, now }: { subject: string; now: Date }, session: Session) =>
      rows.findOneAndUpdate(
        { _id: id, email_verified: { $ne: true } },
        {
          $set: {
            google_subject: subject,
            password_hash: null,
            email_verified: true,
            last_login_at: now,
          },
        },
        { returnDocument: 'after', session },
      ),

    /** Holds a user's credentials still for this transaction; null when there is no such user. */
    lockCredentials: (id: string, session: Session) =>
      rows.findOneAndUpdate(
        { _id: id },
        { $inc: { credentials_revision: 1 } },
        { returnDocument: 'after', session },
      ),

    isEmpty: async (session?: Session): Promise<boolean> =>
      (await rows.findOne({}, { session, projection: { _id: 1 } })) === null,

    /** Whether there is anybody who has a way in: a password or a sign-on provider. */
    hasAnyoneWithAccess: async (): Promise<boolean> => {
      const ways = [{ password_hash: { $ne: null } }, { google_subject: { $exists: true } }];
      return (await rows.findOne({ $or: ways }, { projection: { _id: 1 } })) !== null;
    },
  };
}
