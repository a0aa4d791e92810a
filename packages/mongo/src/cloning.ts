import { createHash } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { insertMissing } from './insert-missing';
import type { Rows } from './rows';

/** What a clone of a workspace gets of a collection (docs/adr/0042). */
export type Cloned<Document extends object> = 'copied' | `left: ${string}` | Copied<Document>;

/** Where clients are in a collection, a row is copied for being named, or by a function that leaves behind what is of a client. */
export type ClonedOfClients<Document extends object> =
  | `left: ${string}`
  | (Copied<Document> & ({ copied: 'where named' } | Required<Pick<Copied<Document>, 'but'>>));

interface Copied<Document extends object> {
  /** `where named`: only what other rows that are copied name, of a collection that holds more than that. */
  copied: 'all' | 'where named';
  /** The row as the clone gets it, its ids still those of the source; null where it stays behind. */
  but?: (row: Document) => Document | null;
  /** Ids that a row gives to what is within it, besides its own. */
  inner?: (row: Document) => readonly string[];
}

/** Ids of a workspace's own things. */
export interface Surveyed {
  ids: Set<string>;
  /** Ids that stand in rows which are copied, whatever they are of. */
  mentions: Set<string>;
}

export interface CopyOrder {
  source: string;
  clone: string;
  /** Everything that a survey of all services has found; nothing else is translated. */
  ids: ReadonlySet<string>;
  /** What is called otherwise in the clone, although it is no row. */
  renamed: ReadonlyMap<string, string>;
}

/** How a collection takes part in cloning a workspace. */
export interface Cloning {
  surveyForClone(
    connection: Connection,
    workspaceId: string,
    named: readonly string[],
  ): Promise<Surveyed>;
  /** Copies what is not there yet until it is asked to stop; false where something is left. Repeating it is harmless. */
  copyToClone(
    connection: Connection,
    order: CopyOrder,
    isOver: () => boolean,
  ): Promise<{ done: boolean }>;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const UUID_LENGTH = 36;
/** Up to the end of what says when an id was made: lists go by it, in the clone as in its source. */
const TIME_LENGTH = 18;
const BATCH = 20;

/** What a thing of a workspace is called in a clone of it: the same to every caller, and however often. */
export function idInClone(clone: string, id: string): string {
  const hex = createHash('sha256').update(`${clone} ${id}`).digest('hex');
  return `${id.slice(0, TIME_LENGTH)}-a${hex.slice(0, 3)}-${hex.slice(3, 15)}`;
}

/** Says everything again with the ids of the clone: in values, in names of members, and in the middle of texts. */
export function translatorOf({ source, clone, ids, renamed }: CopyOrder): <T>(value: T) => T {
  const called = (id: string): string => {
    if (id === source) return clone;
    return renamed.get(id) ?? (ids.has(id) ? idInClone(clone, id) : id);
  };
  const inText = (text: string): string =>
    text.length < UUID_LENGTH ? text : text.replace(UUID, called);
  const translated = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(translated);
    if (!isPlain(value)) return value;
    const members = Object.entries(value).map(([name, each]) => [inText(name), translated(each)]);
    return Object.fromEntries(members);
  };
  return translated as <T>(value: T) => T;
}

/** Every id that stands somewhere in a value. */
export function mentionsIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') for (const id of value.match(UUID) ?? []) found.add(id);
  if (Array.isArray(value)) for (const each of value) mentionsIn(each, found);
  else if (isPlain(value))
    for (const [name, each] of Object.entries(value)) mentionsIn(each, mentionsIn(name, found));
  return found;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

interface Place<Document extends object> {
  name: string;
  open: (connection: Connection) => Rows<Document>;
  cloned: Cloned<Document>;
}

/** Makes of a collection's answer what carries it out. */
export function cloningOf<Document extends { _id: unknown }>({
  name,
  open,
  cloned,
}: Place<Document>): Cloning {
  const how: Copied<Document> | null =
    cloned === 'copied' ? { copied: 'all' } : typeof cloned === 'string' ? null : cloned;
  if (how === null) return leavesAll;
  const but = how.but ?? ((row: Document) => row);
  const named = (ids: readonly string[]) => ({ _id: { $in: [...ids] } }) as mongo.Filter<Document>;

  async function idsOf(rows: mongo.FindCursor<{ _id: unknown }>): Promise<string[]> {
    const found: string[] = [];
    for await (const { _id } of rows) {
      if (typeof _id !== 'string')
        throw new Error(`ids of ${name} are no text: none can be copied`);
      found.push(_id);
    }
    return found;
  }

  return {
    async surveyForClone(connection, workspaceId, asked) {
      const own = open(connection).of(workspaceId);
      const mentions = new Set<string>();
      if (how.copied === 'where named') {
        const found = own.find(named(asked), { projection: { _id: 1 } });
        return { ids: new Set(await idsOf(found as never)), mentions };
      }
      const ids = new Set<string>();
      for await (const found of own.find()) {
        const row = but(found as unknown as Document);
        if (row === null) continue;
        for (const id of [String(row._id), ...(how.inner?.(row) ?? [])]) ids.add(id);
        mentionsIn(row, mentions);
      }
      return { ids, mentions };
    },

    async copyToClone(connection, order, isOver) {
      const rows = open(connection);
      const translated = translatorOf(order);
      const only = how.copied === 'all' ? {} : named([...order.ids]);
      const all = rows.of(order.source).find(only, { projection: { _id: 1 } });
      // What has no name of its own in the clone came after the survey.
      const there = (await idsOf(all as never)).filter((id) => translated(id) !== id);
      const copies = rows.of(order.clone).find({}, { projection: { _id: 1 } });
      const known = new Set(await idsOf(copies as never));
      const missing = there.filter((id) => !known.has(translated(id)));
      for (let at = 0; at < missing.length; at += BATCH) {
        if (isOver()) return { done: false };
        const found = await rows
          .of(order.source)
          .find(named(missing.slice(at, at + BATCH)))
          .toArray();
        const kept = found.flatMap((row) => but(row as unknown as Document) ?? []);
        await insertMissing(rows, kept.map(translated));
      }
      return { done: true };
    },
  };
}

const leavesAll: Cloning = {
  surveyForClone: async () => ({ ids: new Set(), mentions: new Set() }),
  copyToClone: async () => ({ done: true }),
};
