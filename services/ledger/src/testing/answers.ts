import type { Connection } from '@laurel/mongo';

interface Reply {
  cursor?: { ns: string; firstBatch?: object[]; nextBatch?: object[] };
}

/** What the store answers from now on to questions about a collection: each answer as the rows that come with it. */
export function answersAbout(
  connection: Connection,
  collection: string,
): Record<string, unknown>[][] {
  const answers: object[][] = [];
  connection.getClient().on('commandSucceeded', ({ reply }: { reply: unknown }) => {
    const { cursor } = reply as Reply;
    if (!cursor?.ns.endsWith(`.${collection}`)) return;
    answers.push(cursor.firstBatch ?? cursor.nextBatch ?? []);
  });
  return answers as Record<string, unknown>[][];
}
