import { Refusal } from '@laurel/errors';
import { type Context, currentContext } from '@laurel/lifecycle';
import type { Connection } from 'mongoose';
import { collection } from './collection';
import { isDuplicateKey } from './errors';
import { fingerprintFor, refuseAnotherRequest } from './one-request';
import { personsIn, withoutPersons } from './operation-persons';
import type { Erasure, Merge, Unit } from './persons';
import { type Session, unitOfWork } from './unit-of-work';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;

interface OperationRecord {
  _id: string;
  reply: unknown;
  /** Stands for what was asked; rows of a release before it have none. */
  fingerprint?: string;
  /** The clients of whom the reply says more than ids, for when they are erased. */
  persons?: string[];
  expires_at: Date;
}

/** The replies that `commitOnce` keeps, in every service. */
export const operations = collection<OperationRecord>('operations', {
  tenant: 'none: an operation is found by its key alone',
  person: {
    column: 'none: persons names all of whom a reply tells',
    merged: movePersonInReplies,
    anonymized: erasePersonInReplies,
    deleted: 'as anonymized',
    exported: 'withheld: what was answered from rows that are shown',
  },
  growth: {
    per: 'write with an Idempotency-Key',
    end: '7 days',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    {
      key: { persons: 1 },
      name: 'persons',
      partialFilterExpression: { persons: { $exists: true } },
    },
  ],
});

const rowsIn = (connection: Connection) => operations.open(connection).ofEverybody;

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
  const rows = rowsIn(connection);
  const kept = await keptReply<T>(connection, context);
  if (kept) return kept.reply;
  return orRepeated({ connection, context }, () =>
    unitOfWork(connection, async (session) => {
      const reply = await work(session);
      await rows.insertOne(recordOf(context, reply), { session });
      return reply;
    }),
  );
}

/**
 * Notes what is asked under an Idempotency-Key before work whose parts are operations of their own: throws CONFLICT where the
 * key stands for another request. The parts say what was done.
 */
export async function holdKey(
  connection: Connection,
  context: Context = currentContext(),
): Promise<void> {
  if (!context.operationKept || context.fingerprint === undefined) return;
  try {
    await rowsIn(connection).insertOne(recordOf(context, null));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await keptReply(connection, context);
  }
}

/**
 * As commitOnce, for what takes more than one transaction: `begin` says once what it is about, and a repeat goes on with that;
 * `rest` does it, may be run again, and runs no more once its reply is kept.
 */
export async function commitInParts<Begun, Reply>(
  connection: Connection,
  begin: () => Promise<Begun>,
  rest: (begun: Begun) => Promise<Reply>,
): Promise<Reply> {
  const context = currentContext();
  if (!context.operationKept) return rest(await begin());
  const ending = { ...context, operationId: `${context.operationId} ended` };
  const kept = await keptReply<Reply>(connection, ending);
  if (kept) return kept.reply;
  const reply = await rest(await commitOnce(connection, begin, context));
  return commitOnce(connection, async () => reply, ending);
}

/**
 * As commitOnce, where something is asked beforehand that may refuse: the repeat of what took effect is answered as the
 * first time, whatever is so by now.
 */
export async function checkAndCommitOnce<Checked, Reply>(
  connection: Connection,
  check: () => Promise<Checked>,
  work: (session: Session, checked: Checked) => Promise<Reply>,
): Promise<Reply> {
  return repeatable(connection, async () => {
    const checked = await check();
    return commitOnce(connection, (session) => work(session, checked));
  });
}

/**
 * The same for whatever asks, and may refuse, before it commits by `commitOnce`: `work` gives back what that gives, which
 * is what a repeat is answered with.
 */
export async function repeatable<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  return orRepeated({ connection, context: currentContext() }, work);
}

/**
 * What stands against an operation may be its own first try, which was committed a moment ago: by a process that was taken
 * for dead, or one whose answer was lost. So no and "there already" hold only where that is not so.
 */
async function orRepeated<T>(
  { connection, context }: { connection: Connection; context: Context },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const mayRepeat = error instanceof Refusal || isDuplicateKey(error);
    const kept = mayRepeat ? await keptReply<T>(connection, context) : null;
    if (!kept) throw error;
    return kept.reply;
  }
}

/** Throws CONFLICT where the operation has answered another request under the same Idempotency-Key. */
async function keptReply<T>(
  connection: Connection,
  context: Context,
): Promise<{ reply: T } | null> {
  if (!context.operationKept) return null;
  const rows = rowsIn(connection);
  const kept = await rows.findOne({ _id: context.operationId });
  if (!kept) return null;
  refuseAnotherAsked(kept, context);
  return { reply: kept.reply as T };
}

const refuseAnotherAsked = ({ _id, fingerprint }: OperationRecord, context: Context): void =>
  refuseAnotherRequest(_id, { fingerprint }, context);

/**
 * As commitOnce, for several callers at once in one transaction, each with an operation of its own: `work` gets the
 * positions of those whose operation has not been done yet and returns their replies, in their order. Where one of them
 * cannot be committed none is, nor where one asks for another thing under its key (CONFLICT); the callers are then to be
 * taken one by one.
 */
export async function commitEachOnce<T>(
  connection: Connection,
  contexts: readonly Context[],
  work: (session: Session, fresh: readonly number[]) => Promise<T[]>,
): Promise<T[]> {
  const rows = rowsIn(connection);
  const kept = contexts.filter(({ operationKept }) => operationKept);
  const ids = kept.map(({ operationId }) => operationId);
  const done = kept.length === 0 ? [] : await rows.find({ _id: { $in: ids } }).toArray();
  const known = new Map(done.map((record) => [record._id, record]));
  for (const context of kept) {
    const record = known.get(context.operationId);
    if (record) refuseAnotherAsked(record, context);
  }
  const isFresh = ({ operationKept, operationId }: Context) =>
    !operationKept || !known.has(operationId);
  const fresh = [...contexts.keys()].filter((at) => isFresh(contexts[at]!));
  const replies = new Map<number, T>();
  if (fresh.length > 0)
    await unitOfWork(connection, async (session) => {
      const made = await work(session, fresh);
      for (const [index, at] of fresh.entries()) replies.set(at, made[index]!);
      const records = fresh
        .filter((at) => contexts[at]!.operationKept)
        .map((at) => recordOf(contexts[at]!, replies.get(at)));
      if (records.length > 0) await rows.insertMany(records, { session });
    });
  return contexts.map(({ operationId }, at) =>
    replies.has(at) ? replies.get(at)! : (known.get(operationId)!.reply as T),
  );
}

function recordOf(context: Context, reply: unknown): OperationRecord {
  const { operationId } = context;
  const persons = personsIn(reply);
  return {
    _id: operationId,
    reply,
    ...(persons.length > 0 ? { persons } : {}),
    ...fingerprintFor(operationId, context),
    expires_at: new Date(Date.now() + KEPT_DAYS * DAY_MS),
  };
}

/** Takes out of kept replies who a client was; a repeat is answered with what is left. Repeating it is harmless. */
async function erasePersonInReplies(
  { connection, session }: Unit<OperationRecord>,
  { clientId }: Erasure,
): Promise<void> {
  const rows = rowsIn(connection);
  const kept = await rows.find({ persons: clientId }, { session }).toArray();
  if (kept.length === 0) return;
  const updates = kept.map(({ _id, reply }) => ({
    updateOne: {
      filter: { _id },
      update: { $set: { reply: withoutPersons(reply) }, $unset: { persons: '' as const } },
    },
  }));
  await rows.bulkWrite(updates, { ordered: false, session });
}

/** What replies say of a merged client they say of the target from now on. Repeating it is harmless. */
async function movePersonInReplies(
  { connection, session }: Unit<OperationRecord>,
  { source, target }: Merge,
): Promise<void> {
  const rows = rowsIn(connection);
  await rows.updateMany({ persons: source }, { $addToSet: { persons: target } }, { session });
}
