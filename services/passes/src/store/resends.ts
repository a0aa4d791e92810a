import { type Connection, collection, orStale, type Session } from '@laurel/mongo';

const KEPT_MS = 2 * 86_400_000;

export const resends = collection<ResendDocument>('resends', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: what happened in the source',
  growth: {
    per: 'pass and day',
    end: '2 days',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
});

/** What counts go by, in UTC; how much of a timestamp names one. */
const SPANS = { day: { ms: 86_400_000, digits: 10 }, hour: { ms: 3_600_000, digits: 13 } } as const;

/** How often something was mailed in one span of time. */
interface ResendDocument {
  _id: string;
  workspace_id: string;
  count: number;
  expires_at: Date;
}

/** What a mail counts for, and how often it may in a day or an hour. */
export interface ResendCount {
  name: string;
  /** Null for what all workspaces share. */
  workspaceId: string | null;
  max: number;
  per: keyof typeof SPANS;
}

const EVERYWHERE = '*';

export function createResendStore(connection: Connection) {
  const rows = resends.open(connection);

  return {
    /** Counts one mail wherever it counts, in the transaction that sends it; else what is used up, and until when. */
    async count<Counted extends ResendCount>(
      counts: readonly Counted[],
      now: Date,
      session: Session,
    ): Promise<{ usedUp: Counted; retryAfterSeconds: number } | null> {
      const idOf = ({ name, per }: ResendCount) =>
        `${name}:${now.toISOString().slice(0, SPANS[per].digits)}`;
      const known = await rows.ofEverybody
        .find({ _id: { $in: counts.map(idOf) } }, { session })
        .toArray();
      const sent = new Map(known.map(({ _id, count }) => [_id, count]));
      const usedUp = counts.find((each) => (sent.get(idOf(each)) ?? 0) >= each.max);
      if (usedUp) return { usedUp, retryAfterSeconds: secondsLeft(usedUp, now) };
      const expires_at = new Date(now.getTime() + KEPT_MS);
      for (const each of counts) {
        const counted = rows
          .of(each.workspaceId ?? EVERYWHERE)
          .updateOne(
            { _id: idOf(each) },
            { $inc: { count: 1 }, $setOnInsert: { expires_at } },
            { upsert: true, session },
          );
        await orStale('the count', counted);
      }
      return null;
    },
  };
}

function secondsLeft({ per }: ResendCount, now: Date): number {
  const { ms } = SPANS[per];
  return Math.ceil((ms - (now.getTime() % ms)) / 1_000);
}
