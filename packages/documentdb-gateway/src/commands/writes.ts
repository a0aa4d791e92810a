import { type Document, deserialize, serialize } from 'bson';
import { Codes, codeInReply } from '../errors/codes';
import { CommandError, GaveWay, TRANSIENT } from '../errors/command-error';
import { describeDuplicate, duplicateError, readRefused } from '../errors/duplicate-key';
import { elements, readEmbedded, splitSequence } from '../wire/bson-scan';
import type { Command } from '../wire/command';
import { type Context, firstRow, type Handler } from './context';
import { widenDeletesById } from './deletes-by-id';

interface WriteError {
  index: number;
  code: number;
  errmsg: string;
}

/** A command that writes, and where its operations stand in it. */
interface Batch {
  command: Command;
  sequence: string;
}

/** insert, update and delete: the batch goes in as it came, only a reply with errors is looked into. */
function write(verb: 'insert' | 'update' | 'delete', sequence: string): Handler {
  const sql = `select p_result, p_success from documentdb_api.${verb}($1, $2, $3, null)`;
  return async (command, context) => {
    if (verb === 'delete') widenDeletesById(command);
    const parameters = [command.db, command.spec, command.sequences.get(sequence) ?? null];
    try {
      const [reply, success] = await firstRow(context.run, { name: verb, sql, parameters });
      if (!reply) throw new Error(`The engine gave no answer to ${verb}`);
      return success?.[0] === 1
        ? reply
        : await explainWriteErrors(reply, { command, sequence }, context);
    } catch (error) {
      throw (await duplicateError(context.aside, command, error)) ?? error;
    }
  };
}

const findAndModify: Handler = async (command, { run, aside }) => {
  const sql = 'select p_result from documentdb_api.find_and_modify($1, $2, null)';
  try {
    const [reply] = await firstRow(run, {
      name: 'find_and_modify',
      sql,
      parameters: [command.db, command.spec],
    });
    if (!reply) throw new Error('The engine gave no answer to findAndModify');
    return reply;
  } catch (error) {
    throw (await duplicateError(aside, command, error)) ?? error;
  }
};

/** Gives write errors their MongoDB codes; in a transaction they end it. */
async function explainWriteErrors(
  reply: Buffer,
  batch: Batch,
  context: Context,
): Promise<Uint8Array> {
  const document = deserialize(reply, { promoteValues: true });
  const errors = (document.writeErrors ?? []) as WriteError[];
  if (!context.transaction && document.n === 0 && errors.every(isConflict)) {
    throw new GaveWay(errors[0]?.errmsg ?? 'The write gave way to another');
  }
  const explained: Document[] = [];
  for (const error of errors) {
    const { code } = codeInReply(error.code);
    if (isConflict(error) && context.transaction) {
      throw new CommandError(Codes.writeConflict, error.errmsg, { labels: [TRANSIENT] });
    }
    const isDuplicate = code === Codes.duplicateKey.code;
    explained.push({
      ...error,
      code,
      ...(isDuplicate && (await explainDuplicate(error, batch, context))),
    });
  }
  if (errors.length > 0) context.doom();
  return serialize({ ...document, writeErrors: explained });
}

function isConflict({ code }: WriteError): boolean {
  return codeInReply(code).code === Codes.writeConflict.code;
}

function explainDuplicate(
  { errmsg, index }: WriteError,
  batch: Batch,
  { run }: Context,
): Promise<Document> {
  const { command } = batch;
  const bytes = command.name === 'insert' ? documentAt(batch, index) : undefined;
  return describeDuplicate(run, command, {
    message: errmsg,
    document: bytes && readRefused(bytes),
  });
}

function documentAt({ command, sequence }: Batch, index: number): Buffer | undefined {
  const batch = command.sequences.get(sequence);
  if (batch) return [...splitSequence(batch)][index];
  const field = command.fields.get(sequence);
  const array = field && readEmbedded(command.body, field);
  const element = array && [...elements(array)][index];
  return element && array && readEmbedded(array, element);
}

/** Commands that change documents. */
export const writeHandlers: Record<string, Handler> = {
  insert: write('insert', 'documents'),
  update: write('update', 'updates'),
  delete: write('delete', 'deletes'),
  findAndModify,
  findandmodify: findAndModify,
};
