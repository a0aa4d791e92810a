import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Connection } from 'mongoose';
import { isTransient } from './errors';
import { gateOf } from './gate';

const ATTEMPTS_MAX = 12;
const PAUSE_MS_FIRST = 2;
const PAUSE_MS_MAX = 100;

export type Session = ClientSession;

/**
 * Runs `work` in one transaction: state and outbox become durable together or not at all. A conflict
 * with another writer runs the whole of `work` again, so it must have no effect but its writes.
 */
export function unitOfWork<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return gateOf(connection).pass(() => runUntilCommitted(connection, work));
}

async function runUntilCommitted<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await connection.startSession();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(session, work);
      } catch (error) {
        if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error;
        await pause(Math.random() * Math.min(PAUSE_MS_FIRST * 2 ** attempt, PAUSE_MS_MAX));
      }
    }
  } finally {
    await session.endSession();
  }
}

async function runOnce<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
  try {
    const result = await work(session);
    await commit(session);
    return result;
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    throw error;
  }
}

/** Asks again while the answer to a commit is unknown: committing twice is the same as once. */
async function commit(session: Session): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const unknown = (error as { hasErrorLabel?: (label: string) => boolean }).hasErrorLabel?.(
        'UnknownTransactionCommitResult',
      );
      if (!unknown || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
