import type { JsonObject } from '@laurel/errors';
import type { Connection } from 'mongoose';
import type { Declared } from './collection';
import type { Erasure, Merge, Persons } from './persons';
import { type Session, unitOfWork } from './unit-of-work';

/** What collections say is done by hand when a client departs, because it is one decision over several of them. Repeatable. */
export interface HandWork {
  merge(merge: Merge, session: Session): Promise<void>;
  erase(erasure: Erasure, session: Session): Promise<void>;
}

/** The database of a service and what is in it. */
export interface Database {
  connection: Connection;
  collections: readonly Declared[];
  /** Comes before what the collections do by themselves, in a transaction where there is none. */
  handWork?: HandWork;
}

/** Removes everything that a service holds of a workspace, in the order of its list. Repeating it is harmless. */
export async function removeWorkspace(
  { connection, collections }: Database,
  workspaceId: string,
): Promise<void> {
  for (const each of collections) await each.removeWorkspace(connection, workspaceId);
}

/** One client takes the place of another in everything that a service holds, collection by collection. */
export async function mergePerson(
  { connection, collections, handWork }: Database,
  merge: Merge,
  session?: Session,
): Promise<void> {
  if (handWork) await inUnit(connection, session, (unit) => handWork.merge(merge, unit));
  for (const each of collections) await each.mergePerson(connection, merge, session);
}

/** Takes out of everything that a service holds who a client was. */
export async function erasePerson(
  { connection, collections, handWork }: Database,
  erasure: Erasure,
  session?: Session,
): Promise<void> {
  if (handWork) await inUnit(connection, session, (unit) => handWork.erase(erasure, unit));
  for (const each of collections) await each.erasePerson(connection, erasure, session);
}

const inUnit = (
  connection: Connection,
  session: Session | undefined,
  work: (session: Session) => Promise<void>,
): Promise<void> => (session ? work(session) : unitOfWork(connection, work));

/** How the rows of one collection look to the person whom they are about. */
interface Shown<Deps> {
  collection: string;
  show: (deps: Deps & Pick<Database, 'connection'>, who: ClientOf) => Promise<JsonObject>;
}

/** A client, as the rpc of an export names it. */
export interface ClientOf {
  workspace_id: string;
  client_id: string;
}

/** Gives rows to what makes members of the export of them. */
export function shown<Document extends object, Deps>(
  collection: Persons<Document>,
  present: (deps: Deps, rows: Document[], workspaceId: string) => Promise<JsonObject> | JsonObject,
): Shown<Deps> {
  return {
    collection: collection.collection,
    show: async (deps, { workspace_id, client_id }) =>
      present(
        deps,
        await collection.ofPerson(deps.connection, workspace_id, client_id),
        workspace_id,
      ),
  };
}

/**
 * Everything that a service holds on a person (right of access). Throws when it is made, and with it the service does not
 * start, where a collection that says `shown` is not among the parts.
 */
export function personExport<Deps>(
  collections: Database['collections'],
  parts: readonly Shown<Deps>[],
) {
  const given = new Set(parts.map(({ collection }) => collection));
  const missing = collections.filter((each) => each.isShown && !given.has(each.collection));
  if (missing.length > 0) {
    const names = missing.map(({ collection }) => collection).join(', ');
    throw new Error(`the export of a person leaves out ${names}`);
  }
  return async (
    deps: Deps & Pick<Database, 'connection'>,
    who: ClientOf,
  ): Promise<{ data: JsonObject }> => {
    const made = await Promise.all(parts.map(({ show }) => show(deps, who)));
    return { data: Object.assign({}, ...made) as JsonObject };
  };
}
