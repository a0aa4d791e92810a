import { Codes } from '../errors/codes';
import { CommandError } from '../errors/command-error';
import type { EngineConnection } from './connection';

/** What a connection is wanted for: transactions may not take the last ones, or nothing else could go on. */
export type Purpose = 'statement' | 'transaction';

export interface PoolOptions {
  size: number;
  /** Connections that transactions leave free for single statements. */
  reserved: number;
  /** Longest wait for a connection, milliseconds. */
  waitMs: number;
  connect(): Promise<EngineConnection>;
}

interface Waiter {
  purpose: Purpose;
  serve(lease: Promise<EngineConnection>): void;
  timer: NodeJS.Timeout;
}

/** A bounded pool of engine connections: first come, first served, within each purpose. */
export class EnginePool {
  private readonly free: EngineConnection[] = [];
  private readonly busy = new Map<EngineConnection | symbol, Purpose>();
  private waiters: Waiter[] = [];
  private closed = false;

  constructor(private readonly options: PoolOptions) {}

  /**
   * Takes a connection; give it back with `release`.
   * @throws CommandError (retryable ExceededTimeLimit) when none gets free in time
   */
  acquire(purpose: Purpose): Promise<EngineConnection> {
    if (this.closed) return Promise.reject(shuttingDown());
    if (this.allows(purpose)) return this.lease(purpose);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(noConnection(this.options.waitMs));
      }, this.options.waitMs);
      const waiter: Waiter = { purpose, serve: resolve, timer };
      this.waiters.push(waiter);
    });
  }

  /** Gives a connection back; one that is lost or not idle is closed instead of used again. */
  release(connection: EngineConnection): void {
    this.busy.delete(connection);
    if (connection.idle && !this.closed) this.free.push(connection);
    else connection.close();
    this.serveWaiters();
  }

  /** Ends the pool: free connections close at once, the others when they are given back. */
  close(): void {
    this.closed = true;
    for (const connection of this.free.splice(0)) connection.close();
    for (const { timer, serve } of this.waiters.splice(0)) {
      clearTimeout(timer);
      serve(Promise.reject(shuttingDown()));
    }
  }

  private allows(purpose: Purpose): boolean {
    if (this.busy.size >= this.options.size) return false;
    if (purpose === 'statement') return true;
    let transactions = 0;
    for (const taken of this.busy.values()) if (taken === 'transaction') transactions++;
    return transactions < this.options.size - this.options.reserved;
  }

  private async lease(purpose: Purpose): Promise<EngineConnection> {
    for (let connection = this.free.pop(); connection; connection = this.free.pop()) {
      if (connection.lost) continue;
      this.busy.set(connection, purpose);
      return connection;
    }
    const place = Symbol(purpose);
    this.busy.set(place, purpose);
    try {
      const connection = await this.options.connect();
      this.busy.set(connection, purpose);
      return connection;
    } finally {
      this.busy.delete(place);
      this.serveWaiters();
    }
  }

  private serveWaiters(): void {
    for (const waiter of [...this.waiters]) {
      if (this.busy.size >= this.options.size) return;
      if (!this.allows(waiter.purpose)) continue;
      this.waiters = this.waiters.filter((other) => other !== waiter);
      clearTimeout(waiter.timer);
      waiter.serve(this.lease(waiter.purpose));
    }
  }
}

function noConnection(waitMs: number): CommandError {
  const message = `No engine connection became free within ${waitMs} ms`;
  return new CommandError(Codes.exceededTimeLimit, message);
}

function shuttingDown(): CommandError {
  return new CommandError(Codes.shutdownInProgress, 'The gateway is shutting down');
}
