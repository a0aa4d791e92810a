import { testServers, until } from '@laurel/testing';
import { connect } from 'amqplib';
import type { CloudEvent } from '../envelope';
import { measureQueues } from '../parking/measure';
import { listParked, redrive } from '../parking/parking';
import { anonymized, Harness, logger, RETRY_DELAYS_MS } from '../testing/harness';
import { Replica } from '../testing/replica';
import { startConsumer } from './consumer';
import type { Once } from './inbox';

/** How often the tests' consumer looks whether the older queue is empty. */
const TEND_MS = 300;
/** The older queue goes after two looks that found it empty, on a machine that may be busy. */
const GONE_WITHIN_MS = 40_000;

describe('a consumer whose events are divided into slots', () => {
  let harness: Harness;
  let replica: Replica;
  let queue: string;

  beforeEach(async () => {
    harness = await Harness.open();
    replica = await Replica.start(harness);
    queue = harness.orderedQueueName();
  });
  afterEach(async () => {
    await replica.stop();
    await harness.close();
  });

  const some = (count: number) => Array.from({ length: count }, () => anonymized());
  const ids = (events: readonly CloudEvent[]) => events.map(({ id }) => id).sort();

  test('tries a failed event again in its slot, and an event that names none in the first', async () => {
    const handled: string[] = [];
    const [failing, other] = [anonymized(), anonymized()];
    let failures = 2;
    const consumer = await replica.consume(queue, {
      handlers: {
        '#': async ({ id }) => {
          if (id === failing.id && failures-- > 0) throw new Error('not yet');
          handled.push(id);
        },
      },
    });
    await harness.broker.publish([failing]);
    await harness.inject(`${queue}.slots.0`, JSON.stringify(other));
    await until(() => handled.length === 2);
    await consumer.whenIdle();
    expect(handled.sort()).toEqual(ids([failing, other]));
  });

  test('what it parked is listed under its queue, and redriven into its slots', async () => {
    const { rabbitmqUrl } = testServers();
    let isWell = false;
    const handled: string[] = [];
    await replica.consume(queue, {
      maxAttempts: 1,
      handlers: {
        '#': async ({ id }) => {
          if (!isWell) throw new Error('unwell');
          handled.push(id);
        },
      },
    });
    const events = some(5);
    await harness.broker.publish(events);
    const areParked = async () => {
      const [depth] = await measureQueues(rabbitmqUrl, harness.exchange);
      return depth?.parked === events.length && depth.waiting === 0 && depth.consumers === 1;
    };
    await until(areParked);
    const [parked] = await listParked(rabbitmqUrl, harness.exchange);
    expect(parked).toMatchObject({ queue, count: events.length });
    isWell = true;
    // What the look took in hand is back a little after it.
    await until(areParked);
    expect(await redrive(rabbitmqUrl, queue)).toBe(events.length);
    await until(() => handled.length === events.length);
    expect(handled.sort()).toEqual(ids(events));
  });

  test('takes over what waits in the queue of an older release, with one effect for each, and deletes it when it is empty', async () => {
    const effects: string[] = [];
    const handle = async (event: CloudEvent, once: Once) => {
      await once(async () => void effects.push(event.id));
    };
    const { connection, broker } = replica;
    const common = { broker, connection, queue, logger, retryDelaysMs: RETRY_DELAYS_MS };
    const older = await startConsumer({ ...common, handlers: { '#': handle } });
    const before = some(3);
    await harness.broker.publish(before);
    await until(() => effects.length === 3);
    // Both run for a while: each event comes by both ways.
    await replica.consume(queue, { tendMs: TEND_MS, handlers: { '#': handle } });
    const meanwhile = some(5);
    for (const event of meanwhile) await harness.inject(queue, JSON.stringify(event));
    await harness.broker.publish(meanwhile);
    await until(() => effects.length >= 8);
    await older.stop();
    const left = some(5);
    for (const event of left) await harness.inject(queue, JSON.stringify(event));
    const admin = await connect(testServers().rabbitmqUrl);
    await until(async () => !(await exists(admin, queue)), { withinMs: GONE_WITHIN_MS });
    const after = some(3);
    await harness.broker.publish(after);
    await until(() => effects.length >= 16);
    expect(effects.sort()).toEqual(ids([...before, ...meanwhile, ...left, ...after]));
    await admin.close();
  });
});

async function exists(admin: Awaited<ReturnType<typeof connect>>, queue: string): Promise<boolean> {
  // Asking for what is not there closes the channel.
  const channel = await admin.createChannel();
  channel.on('error', () => undefined);
  const found = await channel.checkQueue(queue).catch(() => null);
  if (found) await channel.close();
  return found !== null;
}
