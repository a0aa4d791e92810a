import { createHash } from 'node:crypto';
import { type Connection, collection, orStale, type Session } from '@laurel/mongo';
import { countMail, type MailLimit } from '../domain/mail-limits';

export interface MailCountRow {
  /** Digest of what is counted: no address stands here. */
  _id: string;
  mailed_at: Date[];
  /** Raised by every mail that is counted, so that two at once cannot both be the last one. */
  revision: number;
  purge_at: Date;
}

export const mailCounts = collection<MailCountRow>('mail_counts', {
  tenant: 'none: digests of what is counted',
  person: 'nobody',
  growth: {
    per: 'address and day',
    end: 'when they no longer count',
    shardKey: 'whole',
  },
  indexes: [{ key: { purge_at: 1 }, name: 'purge_at_ttl', expireAfterSeconds: 0 }],
});

/** How many mails of a kind went to somebody, or out of a workspace, of late. */
export function createMailCountStore(connection: Connection) {
  const rows = mailCounts.open(connection).ofEverybody;
  return {
    /**
     * Counts a mail in the caller's transaction; the seconds until another may leave when it is one too
     * many. The first write takes the row, so that callers at once come one after the other.
     */
    async take(
      counted: string,
      limit: MailLimit,
      { now, session }: { now: Date; session: Session },
    ): Promise<{ retryAfterSeconds: number } | null> {
      const _id = createHash('sha256').update(counted).digest('base64url');
      const taken = rows.findOneAndUpdate(
        { _id },
        {
          $inc: { revision: 1 },
          $set: { purge_at: new Date(now.getTime() + limit.windowMs) },
          $setOnInsert: { mailed_at: [] },
        },
        { upsert: true, returnDocument: 'after', session },
      );
      const row = await orStale('a count of mails', taken);
      const count = countMail(row?.mailed_at ?? [], limit, now);
      if ('retryAfterSeconds' in count) return count;
      await rows.updateOne({ _id }, { $set: { mailed_at: count.madeAt } }, { session });
      return null;
    },
  };
}
