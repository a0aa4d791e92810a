import { type Connection, collection, type Session } from '@laurel/mongo';

export interface RefreshTokenRow {
  /** SHA-256 of the token; the token itself is nowhere. */
  _id: string;
  session_id: string;
  used_at: Date | null;
  /** What its successor is worked out from, with the token itself; since it was used. */
  successor_seed?: string;
  expires_at: Date;
}

/** Kept a while past their life, so that an old one is still known from a made-up one. */
const KEPT_SECONDS = 7 * 86_400;

const tokensOf = (name: string, per: string, goesWith: string) =>
  collection<RefreshTokenRow>(name, {
    tenant: `none: of a session, ${goesWith}`,
    person: 'nobody',
    growth: { per, end: '7 days after it ends', shardKey: 'whole' },
    indexes: [
      { key: { session_id: 1 }, name: 'session' },
      { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: KEPT_SECONDS },
    ],
  });

export const refreshTokens = tokensOf(
  'refresh_tokens',
  'refresh of a login',
  'whose user belongs to no workspace',
);
export const mobileRefreshTokens = tokensOf(
  'mobile_refresh_tokens',
  'refresh of a phone',
  'with which remove-workspace-data.ts removes it',
);

/** Refresh tokens of users or of devices: each good for one use. */
export function createRefreshTokenStore(connection: Connection, tokens: typeof refreshTokens) {
  const rows = tokens.open(connection).ofEverybody;
  return {
    async insert(
      row: Pick<RefreshTokenRow, '_id' | 'session_id' | 'expires_at'>,
      session: Session,
    ): Promise<void> {
      await rows.insertOne({ ...row, used_at: null }, { session });
    },
    find: (sha256: string, session?: Session) => rows.findOne({ _id: sha256 }, { session }),
    /** True for the one caller that uses the token; false for every other. */
    async use(
      sha256: string,
      { now, seed }: { now: Date; seed: string },
      session: Session,
    ): Promise<boolean> {
      const { modifiedCount } = await rows.updateOne(
        { _id: sha256, used_at: null },
        { $set: { used_at: now, successor_seed: seed } },
        { session },
      );
      return modifiedCount === 1;
    },
    async removeOfSessions(sessionIds: readonly string[], session?: Session): Promise<void> {
      await rows.deleteMany({ session_id: { $in: [...sessionIds] } }, { session });
    },
  };
}

export type RefreshTokenStore = ReturnType<typeof createRefreshTokenStore>;
