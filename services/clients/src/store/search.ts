import {
  type Connection,
  collection,
  foldText,
  limitedTo,
  literalPattern,
  type Session,
} from '@laurel/mongo';

const GRAM = 3;
/** More than these narrow a search no further, and each is a look into the index. */
const GRAMS_PER_SEARCH_MAX = 6;
/** A text that more clients may contain is found faster by reading clients than by their ids. */
const CANDIDATES_MAX = 5_000;

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

/** What a search compares, folded: full name, address and phone, one per line. */
export function searchText({ first_name, last_name, email, phone }: Searchable): string {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  const lines = [name, email ?? '', phone ?? ''].map(foldText);
  return lines.filter((line) => line !== '').join('\n');
}

/** Matches clients that contain `text` literally, whatever its case and accents. */
export function containing(text: string): { search_text: { $regex: string } } {
  return { search_text: { $regex: literalPattern(foldText(text)) } };
}

/** The pieces of all clients' texts: kept apart from the clients, whose rows would be many times larger. */
export function createSearchStore(connection: Connection) {
  const rows = searchTexts.open(connection);

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

    /** Ids among which all clients that contain `text` are; null when that would not narrow it down. */
    async candidates(workspaceId: string, text: string): Promise<string[] | null> {
      const grams = gramsOf(foldText(text));
      if (grams.length === 0) return null;
      const options = { projection: { _id: 1 }, batchSize: CANDIDATES_MAX + 1 };
      const found = await rows
        .of(workspaceId)
        .find({ grams: { $all: spread(grams) } }, options)
        .limit(CANDIDATES_MAX + 1)
        .toArray();
      return found.length > CANDIDATES_MAX ? null : found.map((row) => row._id);
    },

    /** How many clients contain `text`, whose pieces narrow it down as far as it is long enough to have any. */
    /** May stop at `atMost`. */
    count(workspaceId: string, text: string, atMost?: number): Promise<number> {
      const folded = foldText(text);
      const grams = gramsOf(folded);
      const matching = {
        ...(grams.length === 0 ? {} : { grams: { $all: spread(grams) } }),
        text: { $regex: literalPattern(folded) },
      };
      return rows.of(workspaceId).count(matching, limitedTo(atMost));
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

/** Some grams from all over the text: neighbours say nearly the same. */
function spread(grams: string[]): string[] {
  const step = Math.ceil(grams.length / GRAMS_PER_SEARCH_MAX);
  return grams.filter((_, position) => position % step === 0);
}
