import { testServers, until } from '@laurel/testing';
import { run } from '../cli';
import { startConsumer } from '../consumer/consumer';
import type { Consumer } from '../consumer/types';
import type { CloudEvent } from '../envelope';
import { Harness, logger, memberAdded } from '../testing/harness';
import { measureQueues } from './measure';
import { listParked, redrive } from './parking';

describe('parking', () => {
  const url = testServers().rabbitmqUrl;
  let harness: Harness;
  let queue: string;
  let consumer: Consumer;
  let mended: boolean;
  let handled: string[];

  beforeEach(async () => {
    harness = await Harness.open();
    queue = harness.queueName();
    mended = false;
    handled = [];
    consumer = await startConsumer({
      broker: harness.broker,
      connection: harness.connection,
      queue,
      logger,
      maxAttempts: 1,
      handlers: {
        '#': async ({ id }) => {
          if (!mended) throw new Error('not yet');
          handled.push(id);
        },
      },
    });
  });
  afterEach(async () => {
    await consumer.stop();
    await harness.close();
  });

  /** Takes nothing in hand, as a look at what is parked does: what it took is back a little after it. */
  const countParked = async () =>
    (await measureQueues(url, harness.exchange)).find((depth) => depth.queue === queue)?.parked;

  async function park(count: number): Promise<CloudEvent[]> {
    const events = Array.from({ length: count }, () => memberAdded());
    await harness.broker.publish(events);
    await until(async () => (await countParked()) === count);
    return events;
  }

  test('shows what is parked as often as one looks, and takes nothing away', async () => {
    await park(12);
    for (let look = 0; look < 3; look += 1) {
      await until(async () => (await countParked()) === 12);
      const parked = (await listParked(url, harness.exchange)).find(
        (found) => found.queue === queue,
      );
      expect(parked?.count).toBe(12);
      expect(parked?.oldest).toHaveLength(10);
    }
  });

  test('redrive puts parked events back, oldest first, up to the limit', async () => {
    const events = await park(5);
    mended = true;
    expect(await redrive(url, queue, 2)).toBe(2);
    await until(() => handled.length === 2);
    await until(async () => (await countParked()) === 3);
    expect(await redrive(url, queue)).toBe(3);
    await until(() => handled.length === 5);
    expect(handled.sort()).toEqual(events.map(({ id }) => id).sort());
    await until(async () => (await countParked()) === 0);
  });

  test('redrive ends although what it puts back is parked again', async () => {
    await park(3);
    expect(await redrive(url, queue)).toBe(3);
    await until(async () => (await countParked()) === 3);
  });

  test('the command lists and redrives, and explains itself', async () => {
    const [event] = await park(1);
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect(await run(['parked'], { url, print, exchange: harness.exchange })).toBe(0);
    expect(lines.join('\n')).toContain(`${queue}: 1 parked`);
    expect(lines.join('\n')).toContain(`${event!.id}  attempts_exhausted after 1: Error: not yet`);
    mended = true;
    await until(async () => (await countParked()) === 1);
    expect(await run(['redrive', queue], { url, print })).toBe(0);
    expect(lines.at(-1)).toBe(`1 put back into ${queue}`);
    expect(await run(['redrive'], { url, print })).toBe(2);
    expect(lines.at(-1)).toContain('usage:');
    await expect(run(['redrive', 'no.such-queue'], { url, print })).rejects.toThrow(/NOT_FOUND/);
  });
});
