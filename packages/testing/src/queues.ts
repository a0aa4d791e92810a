import { newId } from '@laurel/lifecycle';
import { connectStore } from '@laurel/mongo';
import { createLease } from '@laurel/work';
import { testServers } from './servers';
import { until } from './until';

/** Longer than a file runs. */
const HELD_MS = 120_000;

/**
 * Waits until no other test file has the queues of a service, and takes them: files share one broker, and a service that runs
 * on another database would take the messages and know nothing of what they are about. Returns what gives them back.
 */
export async function takeQueues(service: string): Promise<() => Promise<void>> {
  const { mongodbUri } = testServers();
  const connection = await connectStore({
    uri: mongodbUri,
    database: 'test_queues',
    poolSize: 1,
  });
  const lease = createLease(connection, service, newId());
  await until(() => lease.take(HELD_MS), {
    withinMs: HELD_MS,
    what: `the queues of ${service} for one test alone`,
  });
  return async () => {
    await lease.giveBack();
    await connection.close();
  };
}
