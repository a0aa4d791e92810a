import { createHmac } from 'node:crypto';
import { type Connection, collection, type Session } from '@laurel/mongo';

const KNOWN_MS = 90 * 86_400_000;
const SEEN_AGAIN_MS = 86_400_000;
/** Of one address: what its own sources may cause stays bounded, too. */
const SOURCES_MAX = 10;

/** What an address signs in to: knowing the password of an account says nothing of its portals. */
type Door = 'account' | 'portal';

interface KnownSourcesRow {
  /** Keyed digest of door and address. */
  _id: string;
  /** Keyed digests of where sign-ins came from, the latest last. */
  sources: { digest: string; seen_at: Date }[];
  purge_at: Date;
}

/** An address at a door, and where a request for it came from, as the gateway counts it. */
export interface SourceOfRequest {
  door: Door;
  emailKey: string;
  source: string;
}

export const knownSources = collection<KnownSourcesRow>('known_sources', {
  tenant: 'none: keyed digests of addresses',
  person: 'nobody',
  growth: {
    per: 'address and where it signed in from',
    end: '90 days without use',
    shardKey: 'whole',
  },
  indexes: [{ key: { purge_at: 1 }, name: 'purge_at_ttl', expireAfterSeconds: 0 }],
});

/** Where the owner of an address has signed in from within 90 days (docs/security.md, "Mails that others cause"). */
export function createKnownSourceStore(connection: Connection, key: string) {
  const rows = knownSources.open(connection).ofEverybody;
  const digestOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const idOf = ({ door, emailKey }: SourceOfRequest) => digestOf(`${door}:${emailKey}`);

  return {
    /** Notes a sign-in. Of two at once one may be forgotten, until the next. */
    async note(from: SourceOfRequest, now: Date): Promise<void> {
      const _id = idOf(from);
      const digest = digestOf(from.source);
      const sources = (await rows.findOne({ _id }))?.sources ?? [];
      const seenAt = sources.find((each) => each.digest === digest)?.seen_at;
      if (seenAt && now.getTime() - seenAt.getTime() < SEEN_AGAIN_MS) return;
      const others = sources.filter((each) => each.digest !== digest);
      const latest = [...others, { digest, seen_at: now }].slice(-SOURCES_MAX);
      const purge_at = new Date(now.getTime() + KNOWN_MS);
      await rows.updateOne({ _id }, { $set: { sources: latest, purge_at } }, { upsert: true });
    },

    async has(from: SourceOfRequest, now: Date, session: Session): Promise<boolean> {
      const row = await rows.findOne({ _id: idOf(from) }, { session });
      const digest = digestOf(from.source);
      const since = now.getTime() - KNOWN_MS;
      return row?.sources.some((each) => each.digest === digest && +each.seen_at > since) ?? false;
    },
  };
}
