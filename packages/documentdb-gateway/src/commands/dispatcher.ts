import { serialize } from 'bson';
import type { EngineConnection, Rows, Statement } from '../engine/connection';
import type { EnginePool } from '../engine/pool';
import { Codes } from '../errors/codes';
import {
  CommandError,
  isRetryable,
  noSuchTransaction,
  RETRYABLE_WRITE,
  toCommandError,
} from '../errors/command-error';
import type { Cursors } from '../session/cursors';
import type { Client, Sessions } from '../session/sessions';
import type { Run, Transaction } from '../session/transaction';
import { BsonType, elements, readEmbedded } from '../wire/bson-scan';
import type { Command } from '../wire/command';
import { bulkWrite } from './bulk-write';
import { collectionHandlers } from './collections';
import type { Handler } from './context';
import type { FailCommand } from './fail-command';
import { readHandlers } from './reads';
import { serverInfo } from './server-info';
import { Turns } from './turns';
import { writeHandlers } from './writes';

const HANDLERS: Record<string, Handler> = {
  ...readHandlers,
  ...writeHandlers,
  ...collectionHandlers,
  bulkWrite,
};
/** All that MongoDB does in a transaction of several commands; the engine would do more there. */
const TRANSACTIONAL = new Set([
  'aggregate',
  'bulkWrite',
  'create',
  'createIndexes',
  'delete',
  'distinct',
  'find',
  'findAndModify',
  'findandmodify',
  'getMore',
  'insert',
  'killCursors',
  'update',
]);
/** What a row may hold, and a little for the command around it. */
const MAX_COMMAND_BYTES = 16 * 1024 * 1024 + 16 * 1024;
const MAX_ATTEMPTS = 100;
const MAX_PAUSE_MS = 20;

/** The connection of a client, as far as commands care. */
export interface Caller extends Client {
  readonly id: number;
  /** Set while a read runs, to cancel it when the client goes away. */
  onGone: (() => void) | null;
  /** Ends the connection now. */
  destroy(): void;
}

/** What a dispatcher works with. */
interface DispatcherParts {
  pool: EnginePool;
  sessions: Sessions;
  cursors: Cursors;
  /** Only where test commands are allowed. */
  failCommand: FailCommand | null;
}

/** Decides what a command needs (nothing, a session, a transaction, an engine connection) and runs it. */
export class Dispatcher {
  private readonly pool: EnginePool;
  private readonly sessions: Sessions;
  private readonly cursors: Cursors;
  private readonly failCommand: FailCommand | null;
  private readonly again = new Turns();

  constructor({ pool, sessions, cursors, failCommand }: DispatcherParts) {
    this.pool = pool;
    this.sessions = sessions;
    this.cursors = cursors;
    this.failCommand = failCommand;
  }

  /** @returns the reply document; never rejects */
  async dispatch(command: Command, caller: Caller): Promise<Uint8Array> {
    const { failCommand } = this;
    const answer = () => this.answer(command, caller);
    try {
      if (!failCommand) return await answer();
      if (command.name === 'configureFailPoint') return failCommand.configure(command);
      return await failCommand.around(command, caller, answer);
    } catch (error) {
      return toCommandError(error, command.inTransaction).toReply();
    }
  }

  private async answer(command: Command, caller: Caller): Promise<Uint8Array> {
    try {
      refuseTooLarge(command);
      const answer = serverInfo[command.name.toLowerCase()];
      if (answer) return answer(command, caller.id);
      return await this.perform(command, caller);
    } catch (error) {
      return toCommandError(error, command.inTransaction).toReply();
    }
  }

  private perform(command: Command, caller: Caller): Promise<Uint8Array> {
    switch (command.name) {
      case 'commitTransaction':
        return this.commit(command, caller);
      case 'abortTransaction':
        return this.abort(command, caller);
      case 'endSessions':
      case 'killSessions':
        this.sessions.end(sessionIds(command));
        return Promise.resolve(serialize({ ok: 1 }));
      case 'killAllSessions':
        this.sessions.endAll();
        return Promise.resolve(serialize({ ok: 1 }));
    }
    const handler = HANDLERS[command.name];
    if (!handler)
      throw new CommandError(Codes.commandNotFound, `no such command: '${command.name}'`);
    if (command.inTransaction) return this.inTransaction(command, caller, handler);
    if (command.txnNumber === null || !command.session) return this.alone(command, caller, handler);
    return this.sessions.writeOnce(command, () => this.alone(command, caller, handler));
  }

  private inTransaction(command: Command, caller: Caller, handler: Handler): Promise<Uint8Array> {
    if (!TRANSACTIONAL.has(command.name)) {
      const message = `Cannot run '${command.name}' in a multi-document transaction.`;
      throw new CommandError(Codes.notSupportedInTransaction, message);
    }
    const transaction = this.sessions.transactionOf(command, caller);
    return transaction.execute((run, doom) =>
      handler(command, {
        run: limited(run, command.maxTimeMs, true),
        transaction,
        doom,
        aside: (statements) => this.withConnection((connection) => connection.run(statements)),
        cursors: this.cursors,
      }),
    );
  }

  /** Runs a command in a transaction of its own, again when it lost against another. */
  private async alone(command: Command, caller: Caller, handler: Handler): Promise<Uint8Array> {
    try {
      return await this.retrying(command, () =>
        this.withConnection((connection) => {
          const run = limited((statements) => connection.run(statements), command.maxTimeMs, false);
          const context = { run, transaction: null, doom() {}, aside: run, cursors: this.cursors };
          const attempt = () => handler(command, context);
          return command.name in readHandlers
            ? whileConnected(caller, connection, attempt)
            : attempt();
        }),
      );
    } catch (error) {
      const told = toCommandError(error, false);
      if (command.txnNumber === null || told.code !== Codes.exceededTimeLimit.code) throw told;
      throw new CommandError(Codes.exceededTimeLimit, told.message, {
        labels: [RETRYABLE_WRITE],
      });
    }
  }

  /**
   * What gave way comes back alone: of many who insert one key at once the engine lets each wait for another, finds that out
   * one by one, and would find as many at it again.
   */
  private async retrying<T>({ db, target }: Command, attempt: () => Promise<T>): Promise<T> {
    let tries = 0;
    const once = async (): Promise<{ value: T } | null> => {
      tries += 1;
      try {
        return { value: await attempt() };
      } catch (error) {
        if (tries >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
        return null;
      }
    };
    for (let done = await once(); ; done = await this.again.take(`${db}.${target}`, once)) {
      if (done) return done.value;
      const pause = Math.random() * Math.min(tries, MAX_PAUSE_MS);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private async withConnection<T>(work: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const connection = await this.pool.acquire('statement');
    try {
      return await work(connection);
    } finally {
      this.pool.release(connection);
    }
  }

  private async commit(command: Command, caller: Caller): Promise<Uint8Array> {
    const transaction = this.sessions.transactionOf(command, caller);
    if (transaction.outcome === 'unknown')
      throw noSuchTransaction('The result of the commit is unknown', []);
    if (transaction.outcome !== 'committed') await transaction.commit();
    return serialize({ ok: 1 });
  }

  private async abort(command: Command, caller: Caller): Promise<Uint8Array> {
    const transaction: Transaction = this.sessions.transactionOf(command, caller);
    if (transaction.outcome === 'committed') {
      throw new CommandError(Codes.transactionCommitted, 'The transaction has been committed');
    }
    await transaction.abort('The client aborted the transaction');
    return serialize({ ok: 1 });
  }
}

function refuseTooLarge({ body }: Command): void {
  if (body.length <= MAX_COMMAND_BYTES) return;
  const message = `BSONObj size: ${body.length} is invalid. Size must be between 0 and ${MAX_COMMAND_BYTES}(16MB)`;
  throw new CommandError(Codes.objectTooLarge, message);
}

/** Applies maxTimeMS to what `run` sends; the setting ends with the transaction, or is taken back within it. */
function limited(run: Run, maxTimeMs: number, inTransaction: boolean): Run {
  if (maxTimeMs <= 0) return run;
  const begin = statementTimeout(maxTimeMs);
  const end = inTransaction ? [statementTimeout(0)] : [];
  return async (statements): Promise<Rows[]> => {
    const results = await run([begin, ...statements, ...end]);
    return results.slice(1, 1 + statements.length);
  };
}

function statementTimeout(milliseconds: number): Statement {
  const sql = "select set_config('statement_timeout', $1, true)";
  return { name: 'statement_timeout', sql, parameters: [String(milliseconds)] };
}

/** Cancels a read whose client has gone; the connection is not used again, a late cancel could hit another. */
async function whileConnected<T>(
  caller: Caller,
  connection: EngineConnection,
  work: () => Promise<T>,
): Promise<T> {
  const cancels: Promise<void>[] = [];
  caller.onGone = () => {
    cancels.push(connection.cancel());
  };
  try {
    return await work();
  } finally {
    caller.onGone = null;
    await Promise.all(cancels);
    if (cancels.length > 0) connection.close();
  }
}

function sessionIds({ fields, body, name }: Command): string[] {
  const field = fields.get(name);
  const array = field && readEmbedded(body, field);
  if (!array) return [];
  return [...elements(array)].flatMap((element) => {
    const session = readEmbedded(array, element);
    const id = session && [...elements(session)].find((part) => part.name === 'id');
    return session && id?.type === BsonType.binary
      ? session.toString('hex', id.value + 5, id.end)
      : [];
  });
}
