import { type Document, deserialize, serialize } from 'bson';
import { codeInReply } from '../errors/codes';
import { CommandError } from '../errors/command-error';
import type { Command } from '../wire/command';
import { firstRow, type Handler, passThrough } from './context';

const dbAndSpec = ({ db, spec }: Command) => [db, spec];
const done = (fields: Document = {}): Uint8Array => serialize({ ...fields, ok: 1 });

const drop: Handler = async ({ db, target }, { run }) => {
  await firstRow(run, {
    name: 'drop',
    sql: 'select documentdb_api.drop_collection($1, $2)',
    parameters: [db, target],
  });
  return done({ ns: `${db}.${target}` });
};

const dropDatabase: Handler = async ({ db }, { run }) => {
  await firstRow(run, {
    name: 'drop_database',
    sql: 'select documentdb_api.drop_database($1)',
    parameters: [db],
  });
  return done({ dropped: db });
};

const renameCollection: Handler = async ({ spec }, { run }) => {
  await firstRow(run, {
    name: '',
    sql: 'select documentdb_api.rename_collection($1)',
    parameters: [spec],
  });
  return done();
};

/** Builds at once, in place of the extension's queue, so that a unique index holds when the reply is there. */
const CREATE_INDEXES =
  'select documentdb_api_internal.create_indexes_non_concurrently($1, $2, true)';

const createIndexes: Handler = async (command, { run }) => {
  const [reply] = await firstRow(run, {
    name: '',
    sql: CREATE_INDEXES,
    parameters: dbAndSpec(command),
  });
  return unwrapShard(reply);
};

const dropIndexes: Handler = async (command, { run }) => {
  const [reply] = await firstRow(run, {
    name: '',
    sql: 'call documentdb_api.drop_indexes($1, $2, null)',
    parameters: dbAndSpec(command),
  });
  return unwrapShard(reply);
};

/** The extension answers like a router, one reply per shard under `raw`; there is one shard. */
function unwrapShard(reply: Buffer | null | undefined): Uint8Array {
  const document = reply ? deserialize(reply) : {};
  const [shard] = Object.values((document.raw ?? {}) as Record<string, Document>);
  const result = shard ?? document;
  if (result.ok === 0 || result.errmsg) {
    throw new CommandError(codeInReply(Number(result.code)), String(result.errmsg));
  }
  return done(result);
}

/** Commands about databases, collections and indexes. */
export const collectionHandlers: Record<string, Handler> = {
  create: passThrough('', 'select documentdb_api.create_collection_view($1, $2)', dbAndSpec),
  drop,
  dropDatabase,
  renameCollection,
  createIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
  collMod: passThrough('', 'select documentdb_api.coll_mod($1, $2, $3)', ({ db, target, spec }) => [
    db,
    target,
    spec,
  ]),
  listDatabases: passThrough('', 'select documentdb_api.list_databases($1)', ({ spec }) => [spec]),
  collStats: passThrough('', 'select documentdb_api.coll_stats($1, $2, 1)', ({ db, target }) => [
    db,
    target,
  ]),
  dbStats: passThrough('', 'select documentdb_api.db_stats($1, 1, false)', ({ db }) => [db]),
};
