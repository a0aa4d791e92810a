import { Codes } from '../errors/codes';
import { CommandError } from '../errors/command-error';
import type { Transaction } from './transaction';

/** A cursor between two getMores: the engine gave us what it needs to go on. */
export interface Cursor {
  db: string;
  continuation: Buffer;
  /** The transaction it was opened in, outside of which it means nothing. */
  transaction: Transaction | null;
  lastUsedAt: number;
  busy: boolean;
}

/** Open cursors by their id. */
export class Cursors {
  private readonly cursors = new Map<bigint, Cursor>();

  constructor(private readonly idleMs: number) {}

  open(
    id: bigint,
    { db, continuation, transaction }: Pick<Cursor, 'db' | 'continuation' | 'transaction'>,
  ): void {
    // The continuation is a view of a socket buffer, which must not be held for minutes.
    const kept = Buffer.from(continuation);
    this.cursors.set(id, {
      db,
      continuation: kept,
      transaction,
      lastUsedAt: Date.now(),
      busy: false,
    });
  }

  /**
   * Takes a cursor for one getMore; hand it back with `advance`.
   * @throws CommandError CursorNotFound, CursorInUse
   */
  take(id: bigint, transaction: Transaction | null): Cursor {
    const cursor = this.cursors.get(id);
    if (!cursor || cursor.transaction !== transaction) {
      throw new CommandError(Codes.cursorNotFound, `cursor id ${id} not found`);
    }
    if (cursor.busy) throw new CommandError(Codes.cursorInUse, `cursor id ${id} is in use`);
    cursor.busy = true;
    return cursor;
  }

  /** @param continuation null when the cursor is exhausted or has failed */
  advance(id: bigint, cursor: Cursor, continuation: Buffer | null): void {
    if (this.cursors.get(id) !== cursor) return;
    if (!continuation) {
      this.cursors.delete(id);
      return;
    }
    cursor.continuation = Buffer.from(continuation);
    cursor.lastUsedAt = Date.now();
    cursor.busy = false;
  }

  /** Forgets cursors. @returns those that were open */
  kill(ids: readonly bigint[]): bigint[] {
    return ids.filter((id) => this.cursors.delete(id));
  }

  /** A transaction has ended and its cursors with it. */
  transactionEnded(transaction: Transaction): void {
    for (const [id, cursor] of this.cursors) {
      if (cursor.transaction === transaction) this.cursors.delete(id);
    }
  }

  /** Forgets cursors that were unused for too long. @returns their ids, for the engine to drop what it keeps */
  reap(now: number): bigint[] {
    const idle = [...this.cursors].filter(
      ([, cursor]) => !cursor.busy && now - cursor.lastUsedAt > this.idleMs,
    );
    return this.kill(idle.map(([id]) => id));
  }
}
