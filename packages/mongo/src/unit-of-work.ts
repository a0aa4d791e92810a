import { setTimeout as pause } from 'node:timers/promises';
import { platform } from '@laurel/errors';
import { currentContext, mayFail, standstills } from '@laurel/lifecycle';
import type { ClientSession, Connection } from 'mongoose';
import { isTransient, isUnknownCommit } from './errors';
import { gateOf } from './gate';
import { storing } from './metrics';

const PAUSE_MS_FIRST = 2;
/** Twice as long is slower with any number of writers, half as long tries twice as often once there are hundreds. */
const PAUSE_MS_MAX = 100;
/** How long conflicts are tried again where the caller set no earlier deadline. */
const PATIENCE_MS = 10_000;
/** Kept back of a caller's deadline, so that it still hears how it ended. */
const ANSWER_MS = 250;
const COMMITS_MAX = 5;
const UNKNOWN_COMMIT = 'UnknownTransactionCommitResult';

export type Session = ClientSession;

/**
 * Runs `work` in one transaction: state and outbox become durable together or not at all. A conflict
 * with another writer runs the whole of `work` again, with growing pauses and until the caller's deadline is near, so
 * it must have no effect but its writes. What loses all that time rejects with the conflict: nothing was changed then.
 */
export function unitOfWork<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return gateOf(connection)(() => runUntilCommitted(connection, work));
}

async function runUntilCommitted<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const until = patientUntil();
  const requireMoving = movingSince(performance.now());
  const session = await connection.startSession();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(session, async () => {
          const result = await work(session);
          requireMoving();
          return result;
        });
      } catch (error) {
        const pauseMs = Math.random() * Math.min(PAUSE_MS_FIRST * 2 ** attempt, PAUSE_MS_MAX);
        if (!isTransient(error) || performance.now() + pauseMs > until) throw error;
        storing.transactionRetries.inc({ database: connection.name });
        await pause(pauseMs);
      }
    }
  } finally {
    await session.endSession();
  }
}

/** By the clock that only goes forward: one that is set meanwhile must neither end the patience nor make it endless. */
function patientUntil(): number {
  const { deadlineAt = Number.POSITIVE_INFINITY } = currentContext();
  const leftMs = deadlineAt - ANSWER_MS - Date.now();
  return performance.now() + Math.min(leftMs, PATIENCE_MS);
}

/**
 * Refuses what a process that stood still would commit after the time of its caller: another replica was asked meanwhile, and
 * what it said may be another thing. It may have stood still before the unit was begun, while the call asked somebody else.
 */
function movingSince(begunAt: number): () => void {
  const { deadlineAt = Number.POSITIVE_INFINITY } = currentContext();
  const overAt = begunAt + deadlineAt - Date.now();
  return () => {
    if (performance.now() > overAt && standstills().isAnySince(Math.min(begunAt, overAt)))
      throw platform.serviceUnavailable({ retryAfterSeconds: 1 });
  };
}

/** Who is to hear how the transaction that is under way in a session ended. */
interface Listeners {
  committed: (() => void)[];
  unknown: (() => void)[];
}
const listening = new WeakMap<Session, Listeners>();

/**
 * Calls `listener` when the unit of work that the session belongs to has surely been committed: not where it is rolled
 * back, run anew, or the end of its commit is unknown. False where the session belongs to no unit of work.
 */
export function onCommitted(session: Session, listener: () => void): boolean {
  const listeners = listening.get(session);
  listeners?.committed.push(listener);
  return listeners !== undefined;
}

/** Calls `listener` when it stays unknown whether the unit of work that the session belongs to was committed. */
export function onUnknownEnd(session: Session, listener: () => void): void {
  listening.get(session)?.unknown.push(listener);
}

const ending = new WeakMap<Session, (() => void)[]>();

/**
 * Calls `listener` when the session has ended, however that was. What is run again asks again: one listener of the session
 * stands for all of them, for the driver warns of more than ten.
 */
export function onEnded(session: Session, listener: () => void): void {
  const asked = ending.get(session);
  if (asked) {
    asked.push(listener);
    return;
  }
  const listeners = [listener];
  ending.set(session, listeners);
  session.once('ended', () => {
    for (const each of listeners) each();
  });
}

async function runOnce<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
  const listeners: Listeners = { committed: [], unknown: [] };
  listening.set(session, listeners);
  try {
    const result = await work(session);
    await commit(session);
    for (const listener of listeners.committed) listener();
    return result;
  } catch (error) {
    if (error instanceof CommitUnknown) for (const listener of listeners.unknown) listener();
    if (session.inTransaction())
      await session.abortTransaction().catch(mayFail('the store aborts what nobody commits'));
    throw error;
  }
}

/**
 * Asks again while the answer to a commit is unknown: committing twice is the same as once. What stays unknown is reported
 * as such: the work must not be run again by itself, its caller repeats it under the same operation id.
 */
async function commit(session: Session): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!isUnknownCommit(error)) throw error;
      if (!isLabelled(error) || attempt === COMMITS_MAX) throw new CommitUnknown(error);
      await pause(PAUSE_MS_FIRST * 2 ** attempt);
    }
  }
}

const isLabelled = (error: unknown): boolean =>
  (error as { hasErrorLabel?: (label: string) => boolean }).hasErrorLabel?.(UNKNOWN_COMMIT) ===
  true;

/** A commit whose end is unknown, by any of the server's names for it. */
class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the result of a commit is unknown', { cause });
    this.name = 'CommitUnknown';
  }

  hasErrorLabel(label: string): boolean {
    return label === UNKNOWN_COMMIT;
  }
}
