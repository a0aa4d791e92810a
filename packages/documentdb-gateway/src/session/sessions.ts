import type { EnginePool } from '../engine/pool';
import { Codes } from '../errors/codes';
import { CommandError, noSuchTransaction } from '../errors/command-error';
import type { Command } from '../wire/command';
import { Transaction } from './transaction';

/** Who sent a command; transactions end with the connection that used them last. */
export type Client = object;

interface Session {
  lastUsedAt: number;
  txnNumber: bigint;
  transaction: Transaction | null;
  client: Client | null;
  /** Reply to the last retryable write, for a driver that sends it again. */
  written: Promise<Uint8Array> | null;
}

const NONE = -1n;

/** The logical sessions of all clients: their open transaction and their last retryable write. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();
  private readonly open = new Set<Session>();

  constructor(
    private readonly pool: EnginePool,
    private readonly limits: { transactionLifetimeMs: number; sessionIdleMs: number },
    private readonly onTransactionEnd: (transaction: Transaction) => void,
  ) {}

  /**
   * The transaction a command belongs to, started if it says so.
   * @throws CommandError NoSuchTransaction, TransactionTooOld
   */
  transactionOf(command: Command, client: Client): Transaction {
    const session = this.touch(command.session);
    const number = command.txnNumber ?? NONE;
    if (number < session.txnNumber) throw tooOld(number, session.txnNumber);
    if (command.startsTransaction) this.start(session, number);
    if (number > session.txnNumber || !session.transaction) {
      // A commit of which nothing is known (the gateway was restarted) may have happened: running it again is not safe.
      const isCommit = command.name === 'commitTransaction';
      throw noSuchTransaction(`Transaction ${number} is not known here`, isCommit ? [] : undefined);
    }
    session.client = client;
    return session.transaction;
  }

  /**
   * Runs a retryable write once: the same write sent again gets the first answer.
   * @throws CommandError TransactionTooOld
   */
  writeOnce(command: Command, write: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const session = this.touch(command.session);
    const number = command.txnNumber as bigint;
    if (number < session.txnNumber) throw tooOld(number, session.txnNumber);
    if (number === session.txnNumber && session.written !== null) return session.written;
    this.leave(session);
    session.txnNumber = number;
    const written = write();
    session.written = written;
    // A write that was refused may be sent again for good.
    written.catch(() => {
      if (session.written === written) session.written = null;
    });
    return written;
  }

  /** Ends sessions at their client's wish; open transactions roll back. */
  end(ids: Iterable<string>): void {
    for (const id of ids) {
      const session = this.sessions.get(id);
      if (!session) continue;
      this.leave(session);
      this.sessions.delete(id);
    }
  }

  endAll(): void {
    this.end([...this.sessions.keys()]);
  }

  /** Rolls back what a client left open when its connection closed. */
  clientGone(client: Client): void {
    for (const session of this.open) {
      if (session.client === client)
        void session.transaction?.abort('The client closed its connection');
    }
  }

  /** Ends transactions that are open for too long and forgets idle sessions. */
  reap(now: number): void {
    for (const { transaction } of this.open) {
      if (transaction && now - transaction.startedAt > this.limits.transactionLifetimeMs) {
        void transaction.abort('The transaction exceeded its lifetime limit');
      }
    }
    for (const [id, session] of this.sessions) {
      if (now - session.lastUsedAt > this.limits.sessionIdleMs) this.end([id]);
    }
  }

  /** Rolls back everything; resolves when all connections are back. */
  async abortAll(reason: string): Promise<void> {
    await Promise.all([...this.open].map(({ transaction }) => transaction?.abort(reason)));
  }

  private touch(id: string): Session {
    let session = this.sessions.get(id);
    if (!session) {
      session = { lastUsedAt: 0, txnNumber: NONE, transaction: null, client: null, written: null };
      this.sessions.set(id, session);
    }
    session.lastUsedAt = Date.now();
    return session;
  }

  private start(session: Session, number: bigint): void {
    if (number === session.txnNumber) {
      throw new CommandError(
        Codes.conflictingOperation,
        `Transaction ${number} was started already`,
      );
    }
    this.leave(session);
    const transaction = new Transaction(this.pool, () => {
      if (session.transaction === transaction) this.open.delete(session);
      this.onTransactionEnd(transaction);
    });
    session.txnNumber = number;
    session.transaction = transaction;
    this.open.add(session);
  }

  private leave(session: Session): void {
    void session.transaction?.abort('The session went on to another operation');
    this.open.delete(session);
    session.transaction = null;
    session.written = null;
  }
}

function tooOld(number: bigint, latest: bigint): CommandError {
  return new CommandError(
    Codes.transactionTooOld,
    `Transaction ${number} is older than the session's latest, ${latest}`,
  );
}
