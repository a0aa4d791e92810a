import { testServers, until } from '@laurel/testing';
import { startConsumer } from '../consumer/consumer';
import { messaging } from '../metrics';
import { anonymized, Harness, logger } from '../testing/harness';
import { measureQueues } from './measure';
import { Orphans } from './orphans';

/** Longer than a test takes: what a consumer measures itself does not come between. */
const TEND_MS = 3_600_000;

describe('a queue without a consumer', () => {
  let harness: Harness;
  let queue: string;

  beforeEach(async () => {
    harness = await Harness.open();
    queue = harness.queueName();
  });
  afterEach(() => harness.close());

  const consume = () =>
    startConsumer({
      broker: harness.broker,
      connection: harness.connection,
      queue,
      logger,
      tendMs: TEND_MS,
      handlers: { '#': async () => undefined },
    });
  const orphansFound = (findEveryMs?: number) =>
    new Orphans({ broker: harness.broker, url: testServers().rabbitmqUrl, findEveryMs });
  const parkedOf = async () =>
    (await measureQueues(testServers().rabbitmqUrl, harness.exchange, [queue]))[0]?.parked;
  const depths = async () => {
    const { values } = await messaging.depth.get();
    const own = values.filter(({ labels }) => labels.queue === queue);
    return Object.fromEntries(own.map(({ labels, value }) => [labels.kind, value]));
  };

  test('is measured as it grows, and no more once it is consumed', async () => {
    const consumer = await consume();
    const orphans = orphansFound();
    await consumer.stop();
    await harness.inject(`${queue}.parked`, 'what it gave up');
    await until(async () => {
      await orphansFound().look();
      return (await depths()).parked === 1;
    });
    await orphans.look();
    for (const waiting of [2, 4]) {
      await harness.broker.publish([anonymized(), anonymized()]);
      await until(async () => {
        await orphans.look();
        return (await depths()).work === waiting;
      });
    }
    const next = await consume();
    await until(async () => {
      await orphans.look();
      return Object.keys(await depths()).length === 0;
    });
    await next.stop();
  });

  test('is found although it came later, and one that is consumed is left to its consumer', async () => {
    const orphans = orphansFound(0);
    await orphans.look();
    const consumer = await consume();
    await orphans.look();
    expect(await depths()).toEqual({});
    await consumer.stop();
    await harness.broker.publish([anonymized()]);
    await until(async () => {
      await orphans.look();
      return (await depths()).work === 1;
    });
  });

  test('has what was parked of it thirty days ago thrown away, and one that is consumed is left to its consumer', async () => {
    const consumer = await consume();
    const orphans = orphansFound();
    await harness.inject(`${queue}.parked`, 'of long ago', {
      'x-laurel-parked-at': new Date(0).toISOString(),
    });
    const own = async () => (await orphans.forget()).filter((each) => each.queue === queue);
    await until(async () => (await parkedOf()) === 1);
    expect(await own()).toEqual([]);
    await consumer.stop();
    await harness.loseQueue(queue);
    expect(await own()).toEqual([{ queue, count: 1, types: [] }]);
  });
});
