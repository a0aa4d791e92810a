import { type Context, currentContext } from '@laurel/lifecycle';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from './errors';
import { type Session, unitOfWork } from './unit-of-work';

const COLLECTION = 'operations';
const KEPT_DAYS = 7;

interface OperationRecord {
  _id: string;
  reply: unknown;
  expires_at: Date;
}

/**
 * A unit of work that takes effect once however often its caller repeats it. Where the caller gave an
 * Idempotency-Key, the reply is kept in the same transaction as the effect, so that a repeat after a
 * crash, on any replica, is answered with the first reply and changes nothing.
 */
export async function commitOnce<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
  context: Context = currentContext(),
): Promise<T> {
  if (!context.operationKept) return unitOfWork(connection, work);
  const operations = connection.collection<OperationRecord>(COLLECTION);
  const kept = await operations.findOne({ _id: context.operationId });
  if (kept) return kept.reply as T;
  try {
    return await unitOfWork(connection, async (session) => {
      const reply = await work(session);
      const expiresAt = new Date(Date.now() + KEPT_DAYS * 86_400_000);
      await operations.insertOne(
        { _id: context.operationId, reply, expires_at: expiresAt },
        { session },
      );
      return reply;
    });
  } catch (error) {
    const first = isDuplicateKey(error)
      ? await operations.findOne({ _id: context.operationId })
      : null;
    if (first) return first.reply as T;
    throw error;
  }
}

/** The index that `commitOnce` needs; part of every service's own list. */
export const operationIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 }],
} as const;
