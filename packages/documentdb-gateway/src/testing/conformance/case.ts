import type { ClientSession, Collection, Document, MongoClient, MongoError } from 'mongodb';

export interface Row extends Document {
  _id: number | string;
}

/** What a case works with: a collection of its own, which does not exist yet. */
export interface Ground {
  rows: Collection<Row>;
  client: MongoClient;
}

/**
 * One thing that Laurel's code relies on: what is asked of the server, and what MongoDB 7 and 8 answer by their manual and
 * the tests of their drivers, as JSON.
 */
export interface Case {
  name: string;
  ask(ground: Ground): Promise<unknown>;
  answer: unknown;
}

/** What a driver hears of a refusal, as far as code looks at it; 'done' where there was none. */
export async function refusalOf(work: () => Promise<unknown>): Promise<object | 'done'> {
  try {
    await work();
    return 'done';
  } catch (error) {
    const { code, keyPattern, keyValue, errorLabels } = error as MongoError & {
      keyPattern?: Document;
      keyValue?: Document;
      errorLabels?: string[];
    };
    return {
      code,
      ...(keyPattern && { keyPattern }),
      ...(keyValue && { keyValue }),
      ...(errorLabels?.length && { labels: [...errorLabels].sort() }),
    };
  }
}

/** Runs work in a transaction of its own, which the work may end itself. */
export async function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = client.startSession();
  try {
    session.startTransaction({
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
    });
    return await work(session);
  } finally {
    if (session.inTransaction()) await session.abortTransaction();
    await session.endSession();
  }
}
