import type { ClientEnding } from '@laurel/contract';
import {
  type Connection,
  collection,
  isDuplicateKey,
  type Rows,
  refusedAsDuplicates,
  type Session,
  StaleWrite,
  searchPattern,
  searchTextOf,
} from '@laurel/mongo';
import type { Position } from '@laurel/values/position';

/** Before every event: what is known from a question rather than an event gives way to any event. */
const UNDATED = new Date(0);
const IDS_BATCH = 5_000;

export interface Names {
  first_name: string | null;
  last_name: string | null;
  email: string | null;
}

interface PersonDocument extends Names {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  /** Names and address, folded: what a search compares. */
  search_text: string;
  /** On either side of a referral: only they are searched. */
  involved?: true;
  ended: ClientEnding | null;
  merged_into: string | null;
  /** Completed referrals as referrer: what the cap is compared with. */
  completed: number;
  /** Counts the units of work that decided something about the client, so that two of them conflict. */
  touched: number;
  as_of: Date;
  /** How often the client had been written by then; absent where that was not said. */
  revision?: number;
}

export const people = collection<PersonDocument>('people', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: 'by hand: use-cases/merge-clients.ts',
    anonymized: 'by hand: use-cases/forget-client.ts',
    deleted: 'by hand: use-cases/forget-client.ts',
    exported: 'withheld: what the clients service shows of them',
  },
  growth: {
    per: 'client',
    end: 'stays: goes with its client',
    shardKey: 'hashed _id',
  },
  indexes: [
    {
      key: { workspace_id: 1, involved: 1 },
      name: 'involved',
      partialFilterExpression: { involved: true },
    },
    { key: { workspace_id: 1, merged_into: 1 }, name: 'merged_into' },
  ],
});

export interface Person {
  id: string;
  ended: ClientEnding | null;
  mergedInto: string | null;
  completed: number;
}

export interface Snapshot extends Names {
  id: string;
  workspaceId: string;
  asOf: Position;
}

/** What is known of a client of whom only the names are known. */
const STRANGER = { ended: null, merged_into: null, completed: 0, touched: 0 } as const;

export const NAMELESS: Names = { first_name: null, last_name: null, email: null };

/** Clients as far as referrals need them: names to show and find, how they ended, and what they brought. */
export function createPersonStore(connection: Connection) {
  const rows = people.open(connection);
  return {
    ...createPersonLists(rows),
    ...createPersonDecisions(rows),
    ...createPersonNews(rows),
    ...createCompletionCounts(rows),
  };
}

function createPersonLists(rows: Rows<PersonDocument>) {
  return {
    async find(workspaceId: string, id: string, session?: Session): Promise<Person | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toPerson(document);
    },

    /** Who the client is now: itself, or whom it became part of. */
    async currentOf(workspaceId: string, id: string, session?: Session): Promise<string> {
      const options = { projection: { merged_into: 1 }, session };
      const document = await rows.of(workspaceId).findOne({ _id: id }, options);
      return document?.merged_into ?? id;
    },

    /** Those of some clients that were merged into others or deleted. */
    async goneAmong(workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
      const ended = { $in: ['merged', 'deleted'] satisfies ClientEnding[] };
      const gone = { _id: { $in: [...ids] }, ended };
      const found = await rows
        .of(workspaceId)
        .find(gone, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    async namesOf(workspaceId: string, ids: readonly string[]): Promise<Map<string, Names>> {
      const filter = { _id: { $in: [...new Set(ids)] } };
      const projection = { first_name: 1, last_name: 1, email: 1 };
      const options = { projection, batchSize: IDS_BATCH };
      const named = await rows.of(workspaceId).find(filter, options).toArray();
      return new Map(named.map(({ _id, ...names }) => [_id, names]));
    },

    /** Ids of those in a referral whose name or address contains the text, literally. */
    async search(workspaceId: string, text: string): Promise<string[]> {
      const filter = {
        involved: true as const,
        search_text: { $regex: searchPattern(text) },
      };
      const options = { projection: { _id: 1 }, batchSize: IDS_BATCH };
      return (await rows.of(workspaceId).find(filter, options).toArray()).map(({ _id }) => _id);
    },
  };
}

/** What a unit of work that decides something about clients writes of them. */
function createPersonDecisions(rows: Rows<PersonDocument>) {
  return {
    /**
     * Makes the unit of work conflict with every other that decides something about the client at the
     * same time, so that what it read of them still holds when it commits. `names` are kept until an
     * event tells them.
     */
    async touch(
      workspaceId: string,
      { id, names = NAMELESS }: { id: string; names?: Names },
      session: Session,
    ): Promise<Person> {
      const fresh = { ...columnsOf(names), ended: null, merged_into: null, completed: 0 };
      const document = await again(
        rows
          .of(workspaceId)
          .findOneAndUpdate(
            { _id: id },
            { $inc: { touched: 1 }, $setOnInsert: { ...fresh, as_of: UNDATED } },
            { upsert: true, returnDocument: 'after', session },
          ),
      );
      const person = toPerson(document!);
      const isUndated = document!.as_of.getTime() === UNDATED.getTime();
      if (isUndated && person.ended === null && names !== NAMELESS) {
        await rows.of(workspaceId).updateOne({ _id: id }, { $set: columnsOf(names) }, { session });
      }
      return person;
    },

    /** From here on the clients are found by a search among referrals. */
    async involve(workspaceId: string, ids: readonly string[], session: Session): Promise<void> {
      await rows
        .of(workspaceId)
        .updateMany({ _id: { $in: [...ids] } }, { $set: { involved: true } }, { session });
    },
  };
}

/** What events tell of clients. */
function createPersonNews(rows: Rows<PersonDocument>) {
  return {
    /**
     * Takes over what is newer than what is known; of clients that ended, nothing. The guard is in the write, so that it
     * can be repeated, and run in any order and at the same time as itself.
     */
    async record(snapshots: readonly Snapshot[]): Promise<void> {
      if (snapshots.length === 0) return;
      const write = (upsert: boolean) =>
        rows.bulkWrite(
          snapshots.map(({ id, workspaceId, asOf, ...names }) => ({
            updateOne: {
              filter: { _id: id, workspace_id: workspaceId, ended: null, ...isBefore(asOf) },
              update: {
                $set: { ...columnsOf(names), ...columnsAsOf(asOf) },
                ...(upsert ? { $setOnInsert: STRANGER } : {}),
              },
              upsert,
            },
          })),
          { ordered: false },
        );
      const refused = await refusedAsDuplicates(() => write(true));
      // Somebody is there whom the guard kept back, or who came in the same moment: the guard decides again.
      if (refused.size > 0) await write(false);
    },

    /** Forgets who the client was, for good. */
    async end(
      workspaceId: string,
      {
        id,
        ending,
        mergedInto = null,
      }: { id: string; ending: ClientEnding; mergedInto?: string | null },
      session: Session,
    ): Promise<void> {
      const isGone = ending !== 'anonymized';
      await rows.of(workspaceId).updateOne(
        { _id: id },
        {
          $set: {
            ...columnsOf(NAMELESS),
            ended: ending,
            merged_into: mergedInto,
            ...(isGone ? { completed: 0 } : {}),
          },
          ...(isGone ? { $unset: { involved: '' } } : {}),
        },
        { session },
      );
      if (mergedInto === null) return;
      await rows
        .of(workspaceId)
        .updateMany({ merged_into: id }, { $set: { merged_into: mergedInto } }, { session });
    },
  };
}

function createCompletionCounts(rows: Rows<PersonDocument>) {
  return {
    /** Counts one more completed referral of the referrer; null when that would exceed the cap. */
    async countCompletion(
      workspaceId: string,
      { id, cap }: { id: string; cap: number | null },
      session: Session,
    ): Promise<number | null> {
      const filter = {
        _id: id,
        ...(cap === null ? {} : { completed: { $lt: cap } }),
      };
      const document = await rows
        .of(workspaceId)
        .findOneAndUpdate(
          filter,
          { $inc: { completed: 1, touched: 1 } },
          { returnDocument: 'after', session },
        );
      if (!document && cap === null) throw new StaleWrite('the referrer');
      return document?.completed ?? null;
    },

    async setCompleted(
      workspaceId: string,
      { id, completed }: Pick<Person, 'id' | 'completed'>,
      session: Session,
    ): Promise<void> {
      await rows.of(workspaceId).updateOne({ _id: id }, { $set: { completed } }, { session });
    },
  };
}

/** Two units of work that both hear of a client for the first time: the second runs again. */
async function again<T>(upsert: Promise<T>): Promise<T> {
  try {
    return await upsert;
  } catch (error) {
    throw isDuplicateKey(error) ? new StaleWrite('the client') : error;
  }
}

/** `isLater` as a question to the store: whether what is known there was said before. */
const isBefore = ({ revision, at }: Position): object =>
  revision === null
    ? { as_of: { $lt: at } }
    : { $or: [{ revision: { $lt: revision } }, { revision: null, as_of: { $lt: at } }] };

const columnsAsOf = ({ revision, at }: Position) =>
  revision === null ? { as_of: at } : { as_of: at, revision };

function columnsOf({ first_name, last_name, email }: Names) {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  return { first_name, last_name, email, search_text: searchTextOf(`${name}\n${email ?? ''}`) };
}

function toPerson({ _id, ended, merged_into, completed }: PersonDocument): Person {
  return { id: _id, ended, mergedInto: merged_into, completed };
}
