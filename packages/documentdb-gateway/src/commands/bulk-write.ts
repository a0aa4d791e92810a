import { type Document, deserialize, serialize } from 'bson';
import type { Rows, Statement } from '../engine/connection';
import { EngineError } from '../engine/failure';
import { Codes, codeInReply, codeOfState } from '../errors/codes';
import { CommandError, TRANSIENT } from '../errors/command-error';
import { describeDuplicate, readRefused } from '../errors/duplicate-key';
import {
  assemble,
  type Element,
  elements,
  readInteger,
  readString,
  readTruth,
  splitSequence,
} from '../wire/bson-scan';
import type { Command } from '../wire/command';
import type { Context, Handler } from './context';

type Verb = 'insert' | 'update' | 'delete';

/** One operation of the batch as a command of its own. */
interface Operation {
  verb: Verb;
  db: string;
  collection: string;
  statement: Statement;
  document: Buffer | undefined;
}

/** What became of an operation, in the engine's words. */
interface Outcome {
  operation: Operation;
  reply: Document;
}

interface Tally {
  nErrors: number;
  nInserted: number;
  nMatched: number;
  nModified: number;
  nUpserted: number;
  nDeleted: number;
}

/** Names of an operation's fields in the statement of the single command. */
const STATEMENT_FIELDS: Record<string, string> = {
  filter: 'q',
  updateMods: 'u',
  constants: 'c',
  multi: 'multi',
  upsert: 'upsert',
  arrayFilters: 'arrayFilters',
  collation: 'collation',
  hint: 'hint',
};
const BATCH: Record<Verb, string> = { insert: 'documents', update: 'updates', delete: 'deletes' };

/**
 * bulkWrite, split into single writes: the engine refuses its own procedure inside a transaction. In a transaction
 * they travel together, for the first failure ends it anyway; outside each stands for itself.
 */
export const bulkWrite: Handler = async (command, context) => {
  const operations = readOperations(command);
  const ordered = flag(command, 'ordered', true);
  const replies = context.transaction
    ? await runTogether(operations, context)
    : await runOneByOne(operations, context, ordered);
  const outcomes = replies.map((reply, index) => ({ operation: operations[index]!, reply }));
  return summarise(command, context, outcomes);
};

async function runTogether(operations: Operation[], { run }: Context): Promise<Document[]> {
  const results = await run(operations.map(({ statement }) => statement));
  return results.map(readReply);
}

async function runOneByOne(
  operations: Operation[],
  { run }: Context,
  ordered: boolean,
): Promise<Document[]> {
  const replies: Document[] = [];
  for (const { statement } of operations) {
    const reply = await run([statement]).then(([rows]) => readReply(rows), readFailure);
    replies.push(reply);
    if (ordered && reply.writeErrors) break;
  }
  return replies;
}

function readReply(rows: Rows | undefined): Document {
  return deserialize(rows?.[0]?.[0] ?? serialize({ n: 0 }));
}

function readFailure(error: unknown): Document {
  if (!(error instanceof EngineError)) throw error;
  const { code } = codeOfState(error.sqlstate);
  return { n: 0, writeErrors: [{ index: 0, code, errmsg: error.message }] };
}

async function summarise(
  command: Command,
  context: Context,
  outcomes: readonly Outcome[],
): Promise<Uint8Array> {
  const tally: Tally = {
    nErrors: 0,
    nInserted: 0,
    nMatched: 0,
    nModified: 0,
    nUpserted: 0,
    nDeleted: 0,
  };
  const errorsOnly = flag(command, 'errorsOnly', false);
  const results: Document[] = [];
  for (const [idx, outcome] of outcomes.entries()) {
    const failure = await failureOf(outcome, command, context);
    count(tally, outcome, failure);
    if (failure) results.push({ ok: 0, idx, ...failure, n: 0 });
    else if (!errorsOnly) results.push({ ok: 1, idx, ...successOf(outcome) });
  }
  if (tally.nErrors > 0) context.doom();
  return serialize({
    cursor: { id: 0n, firstBatch: results, ns: 'admin.$cmd.bulkWrite' },
    ...tally,
    ok: 1,
  });
}

async function failureOf(
  { reply, operation: { db, collection, document } }: Outcome,
  command: Command,
  { run, transaction }: Context,
): Promise<Document | undefined> {
  const [error] = (reply.writeErrors ?? []) as Array<{ code: number; errmsg: string }>;
  if (!error) return undefined;
  const { code } = codeInReply(error.code);
  if (code === Codes.writeConflict.code && transaction) {
    throw new CommandError(Codes.writeConflict, error.errmsg, { labels: [TRANSIENT] });
  }
  if (code !== Codes.duplicateKey.code) return { code, errmsg: error.errmsg };
  const place = { ...command, db, target: collection };
  return {
    code,
    ...(await describeDuplicate(run, place, {
      message: error.errmsg,
      document: document && readRefused(document),
    })),
  };
}

function count(tally: Tally, { operation, reply }: Outcome, failure: Document | undefined): void {
  const { verb } = operation;
  const upserted = reply.upserted?.length ?? 0;
  if (failure) tally.nErrors++;
  else if (verb === 'insert') tally.nInserted += reply.n;
  else if (verb === 'delete') tally.nDeleted += reply.n;
  else {
    tally.nMatched += reply.n - upserted;
    tally.nModified += reply.nModified ?? 0;
    tally.nUpserted += upserted;
  }
}

function successOf({ operation, reply }: Outcome): Document {
  if (operation.verb !== 'update') return { n: reply.n };
  const upserted = reply.upserted?.[0];
  return {
    n: reply.n,
    nModified: reply.nModified ?? 0,
    ...(upserted && { upserted: { _id: upserted._id } }),
  };
}

function readOperations(command: Command): Operation[] {
  const namespaces = [...splitSequence(sequence(command, 'nsInfo'))].map((info) => {
    const ns = [...elements(info)].find(({ name }) => name === 'ns');
    return (ns && readString(info, ns)) ?? '';
  });
  return [...splitSequence(sequence(command, 'ops'))].map((bytes) =>
    readOperation(bytes, namespaces),
  );
}

function readOperation(bytes: Buffer, namespaces: readonly string[]): Operation {
  const [first, ...fields] = elements(bytes);
  const verb = first?.name as Verb;
  const namespace = namespaces[Number(first && readInteger(bytes, first))];
  if (!(verb in BATCH) || !namespace)
    throw new CommandError(Codes.badValue, 'Unknown bulkWrite operation');
  const dot = namespace.indexOf('.');
  const [db, collection] = [namespace.slice(0, dot), namespace.slice(dot + 1)];
  const inserted = fields.find(({ name }) => name === 'document');
  const document =
    verb === 'insert' && inserted ? bytes.subarray(inserted.value, inserted.end) : undefined;
  const sql = `select p_result, p_success from documentdb_api.${verb}($1, $2, $3, null)`;
  const batch = document ?? statementOf(verb, bytes, fields);
  const parameters = [db, Buffer.from(serialize({ [verb]: collection })), batch];
  return { verb, db, collection, document, statement: { name: verb, sql, parameters } };
}

function statementOf(verb: Verb, bytes: Buffer, fields: readonly Element[]): Buffer {
  const parts = fields.flatMap((field) => {
    const name = STATEMENT_FIELDS[field.name];
    const isLimit = verb === 'delete' && name === 'multi';
    return name && !isLimit ? renamed(bytes, field, name) : [];
  });
  if (verb !== 'delete') return assemble(parts);
  const multi = fields.find(({ name }) => name === 'multi');
  const limit = Buffer.from(serialize({ limit: multi && readTruth(bytes, multi) ? 0 : 1 }));
  return assemble([...parts, limit.subarray(4, -1)]);
}

function renamed(bytes: Buffer, { type, value, end }: Element, name: string): Buffer {
  return Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), bytes.subarray(value, end)]);
}

function sequence({ sequences }: Command, name: string): Buffer {
  const bytes = sequences.get(name);
  if (!bytes)
    throw new CommandError(Codes.badValue, `bulkWrite needs the document sequence "${name}"`);
  return bytes;
}

function flag({ fields, body }: Command, name: string, fallback: boolean): boolean {
  const field = fields.get(name);
  return field ? readTruth(body, field) : fallback;
}
