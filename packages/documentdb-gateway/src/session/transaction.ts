import type { EngineConnection, Rows, Statement } from '../engine/connection';
import { ConnectionLost } from '../engine/failure';
import type { EnginePool } from '../engine/pool';
import { Codes } from '../errors/codes';
import {
  CommandError,
  noSuchTransaction,
  TRANSIENT,
  toCommandError,
  UNKNOWN_COMMIT,
} from '../errors/command-error';

/** The command that waits for it reports it. */
const reportedElsewhere = (): undefined => undefined;

/** The engine rolls back what a lost connection left open. */
const rolledBackByTheEngine = (): undefined => undefined;

/** Runs statements as one exchange on the connection that a command has. */
export type Run = (statements: readonly Statement[]) => Promise<Rows[]>;

/** What became of a transaction. `unknown`: the connection went away during the commit. */
export type Outcome = 'open' | 'committed' | 'aborted' | 'unknown';

const control = (sql: string): Statement => ({ name: sql.slice(0, 8), sql, parameters: [] });
const BEGIN = control('BEGIN ISOLATION LEVEL REPEATABLE READ');
const COMMIT = control('COMMIT');
const ROLLBACK = control('ROLLBACK');

/**
 * A multi-document transaction: one engine connection from its first command to its end. Commands run one after
 * another; BEGIN travels with the first. Whatever fails ends the transaction at once, so that its locks are free
 * before the client hears of it.
 */
export class Transaction {
  readonly startedAt = Date.now();
  outcome: Outcome = 'open';
  private abortReason = 'The transaction was aborted';
  private tail: Promise<unknown> = Promise.resolve();
  private begun = false;
  private running: EngineConnection | null = null;
  private cancelled = false;
  private released = false;
  private readonly connection: Promise<EngineConnection>;

  /** @param onEnd called once, when the engine connection has been given back */
  constructor(
    private readonly pool: EnginePool,
    private readonly onEnd: () => void,
  ) {
    this.connection = pool.acquire('transaction');
    this.connection.catch(reportedElsewhere);
  }

  /**
   * Runs one command of the transaction.
   * @param work may call `doom` when it answers normally but the transaction must not go on
   * @throws CommandError after which the transaction is aborted
   */
  execute<T>(work: (run: Run, doom: () => void) => Promise<T>): Promise<T> {
    return this.inTurn(async (connection) => {
      let doomed = false;
      const result = await work(
        (statements) => this.run(connection, statements),
        () => {
          doomed = true;
        },
      );
      if (doomed) await this.rollback(connection, 'A write of the transaction failed');
      return result;
    });
  }

  /** @throws CommandError; with UNKNOWN_COMMIT when the engine was lost before it answered */
  commit(): Promise<void> {
    return this.inTurn(async (connection) => {
      try {
        if (this.begun) await connection.run([COMMIT]);
        this.outcome = 'committed';
        this.release(connection);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        this.outcome = 'unknown';
        this.release(connection);
        throw new CommandError(Codes.interrupted, error.message, { labels: [UNKNOWN_COMMIT] });
      }
    });
  }

  /**
   * Rolls back, a statement in flight included.
   * @param reason given to a client that asks for the transaction later
   */
  async abort(reason: string): Promise<void> {
    if (this.outcome !== 'open') return;
    this.outcome = 'aborted';
    this.abortReason = reason;
    if (this.running) {
      this.cancelled = true;
      await this.running.cancel();
    }
    const end = this.tail.then(async () => {
      const connection = await this.connection.catch(() => null);
      if (connection) await this.rollback(connection, reason);
      else this.onEnd();
    });
    this.tail = end;
    await end;
  }

  /** The error of a command that comes after the transaction's end. */
  refusal(): CommandError {
    return noSuchTransaction(this.abortReason);
  }

  private inTurn<T>(work: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const turn = this.tail.then(() => this.attempt(work));
    this.tail = turn.catch(reportedElsewhere);
    return turn;
  }

  private async attempt<T>(work: (connection: EngineConnection) => Promise<T>): Promise<T> {
    if (this.outcome !== 'open') throw this.refusal();
    const connection = await this.connection.catch((error) => {
      throw this.notStarted(error);
    });
    if (this.outcome !== 'open') throw this.refusal();
    this.running = connection;
    try {
      return await work(connection);
    } catch (error) {
      const wasAborted = (this.outcome as Outcome) === 'aborted';
      if (this.outcome === 'open' || wasAborted) await this.rollback(connection, describe(error));
      throw wasAborted ? this.refusal() : toCommandError(error, true);
    } finally {
      this.running = null;
    }
  }

  private notStarted(error: unknown): CommandError {
    this.outcome = 'aborted';
    this.onEnd();
    const { code, codeName, message } = toCommandError(error, true);
    return new CommandError({ code, codeName }, message, { labels: [TRANSIENT] });
  }

  private async run(
    connection: EngineConnection,
    statements: readonly Statement[],
  ): Promise<Rows[]> {
    if (this.begun) return connection.run(statements);
    this.begun = true;
    const results = await connection.run([BEGIN, ...statements]);
    return results.slice(1);
  }

  private async rollback(connection: EngineConnection, reason: string): Promise<void> {
    if (this.released) return;
    if (this.outcome === 'open') this.abortReason = reason;
    this.outcome = 'aborted';
    if (this.begun) await connection.run([ROLLBACK]).catch(rolledBackByTheEngine);
    // A late cancel request could hit the next user of the connection.
    if (this.cancelled) connection.close();
    this.release(connection);
  }

  private release(connection: EngineConnection): void {
    if (this.released) return;
    this.released = true;
    this.pool.release(connection);
    this.onEnd();
  }
}

function describe(error: unknown): string {
  return `The transaction was aborted: ${error instanceof Error ? error.message : error}`;
}
