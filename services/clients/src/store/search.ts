import {
  type Connection,
  collection,
  foldings,
  limitedTo,
  literalPattern,
  type Rows,
  type Session,
} from '@laurel/mongo';
import { phoneKey } from '@laurel/values/contact';
import { LRUCache } from 'lru-cache';
import { spellingsOf } from './spellings';
import { createTellingGrams, type NewestTexts } from './telling-grams';

const GRAM = 3;
/** More than these narrow a search no further, and each is a look into the index. */
const GRAMS_PER_SEARCH_MAX = 4;
/** A text that more clients contain is found faster by reading clients than by their ids. */
const FOUND_MAX = 5_000;
/** Texts that more contain are remembered for so long, so that they are not looked up in vain again. */
const TOO_MANY_MS = 60_000;
const TOO_MANY_MAX = 1_000;

/** Who contains a text, by their ids, or why none was looked up. */
export type Found = string[] | 'too short' | 'too many';

export interface SearchDocument {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  text: string;
  /** Every three neighbouring characters of the text: what the index holds. */
  grams: string[];
}

export const searchTexts = collection<SearchDocument>('client_search', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    // It is written with the client, in the same transaction.
    merged: 'by hand: use-cases/merge-clients.ts',
    anonymized: 'by hand: use-cases/anonymize-client.ts',
    deleted: 'by hand: use-cases/delete-client.ts',
    exported: 'withheld: made of what is shown',
  },
  growth: {
    per: 'client',
    end: 'stays: goes with its client',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1, grams: 1 }, name: 'grams' }],
});

export interface Searchable {
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
}

/** What a search compares, folded: full name, address and phone, the phone also without its gaps, one per line. */
export function searchText({ first_name, last_name, email, phone }: Searchable): string {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  const lines = [name, email ?? '', phone ?? '', phoneKey(phone) ?? ''].flatMap(foldings);
  return [...new Set(lines.filter((line) => line !== ''))].join('\n');
}

/** Matches clients that contain `text` literally, whatever its case and accents, and phones whatever their gaps. */
export function containing(text: string): { search_text: { $regex: string } } {
  return { search_text: { $regex: spellingsOf(text).map(literalPattern).join('|') } };
}

/** What the newest of some rows are found by; they have an index `newest`. */
export function newestTexts<Row extends { search_text: string }>(rows: Rows<Row>): NewestTexts {
  return async (workspaceId, limit) => {
    const newest = rows
      .of(workspaceId)
      .find({}, { hint: 'newest', projection: { search_text: 1 } })
      .sort({ date_created: -1, _id: -1 })
      .limit(limit);
    // A profile that was made before texts were kept has none until it is seen to.
    return (await newest.toArray()).map((row) => row.search_text ?? '');
  };
}

/** The pieces of all clients' texts: kept apart from the clients, whose rows would be many times larger. */
export function createSearchStore(connection: Connection, newestTexts: NewestTexts) {
  const rows = searchTexts.open(connection);
  const telling = createTellingGrams(newestTexts, gramsOf);
  const tooMany = new LRUCache<string, true>({ max: TOO_MANY_MAX, ttl: TOO_MANY_MS });

  /** The filter of those who contain a text; its pieces narrow it down as far as it is long enough to have any. */
  async function thoseWith(workspaceId: string, text: string) {
    const ways = spellingsOf(text).map(async (spelling) => {
      const grams = await telling(workspaceId, spread(gramsOf(spelling)));
      const $all = grams.slice(0, GRAMS_PER_SEARCH_MAX);
      return {
        ...($all.length === 0 ? {} : { grams: { $all } }),
        text: { $regex: literalPattern(spelling) },
      };
    });
    const [first, ...others] = await Promise.all(ways);
    return others.length === 0 ? first! : { $or: [first!, ...others] };
  }

  return {
    async insertAll(
      added: readonly Parameters<typeof searchDocument>[0][],
      session: Session,
    ): Promise<void> {
      await rows.insertMany(added.map(searchDocument), { session });
    },

    /** Writes nothing while the text stays the same, which spares the index most updates. */
    async updateAll(
      changed: readonly { _id: string; search_text: string }[],
      session: Session,
    ): Promise<void> {
      const writes = changed.map(({ _id, search_text: text }) => ({
        updateOne: {
          filter: { _id, text: { $ne: text } },
          update: { $set: { text, grams: gramsOf(text) } },
        },
      }));
      await rows.bulkWrite(writes, { session });
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: id }, { session });
    },

    /** The ids of all clients that contain `text`, unless reading them one by one would be slower than reading clients. */
    async find(workspaceId: string, text: string): Promise<Found> {
      const spellings = spellingsOf(text);
      if (spellings.some((each) => gramsOf(each).length === 0)) return 'too short';
      const key = `${workspaceId} ${spellings[0]}`;
      if (tooMany.has(key)) return 'too many';
      const options = { projection: { _id: 1 }, batchSize: FOUND_MAX + 1 };
      const found = await rows
        .of(workspaceId)
        .find(await thoseWith(workspaceId, text), options)
        .limit(FOUND_MAX + 1)
        .toArray();
      if (found.length <= FOUND_MAX) return found.map((row) => row._id);
      tooMany.set(key, true);
      return 'too many';
    },

    /** How many clients contain `text`. May stop at `atMost`. */
    async count(workspaceId: string, text: string, atMost?: number): Promise<number> {
      return rows.of(workspaceId).count(await thoseWith(workspaceId, text), limitedTo(atMost));
    },
  };
}

/** What a client's document is found by. */
export function searchDocument({
  _id,
  workspace_id,
  search_text: text,
}: {
  _id: string;
  workspace_id: string;
  search_text: string;
}): SearchDocument {
  return { _id, workspace_id, text, grams: gramsOf(text) };
}

function gramsOf(text: string): string[] {
  const grams = new Set<string>();
  for (const line of text.split('\n')) {
    for (let at = 0; at + GRAM <= line.length; at += 1) grams.add(line.slice(at, at + GRAM));
  }
  return [...grams];
}

/** The pieces in another order, so that those of one place do not come together: neighbours say nearly the same. */
function spread(grams: readonly string[]): string[] {
  return [0, 1, 2].flatMap((start) => grams.filter((_, position) => position % GRAM === start));
}
