import { testServers, until } from '@laurel/testing';
import { run } from '../cli';
import { startConsumer } from '../consumer/consumer';
import type { Consumer } from '../consumer/types';
import type { CloudEvent } from '../envelope';
import { Harness, logger, memberAdded } from '../testing/harness';
import { forgetParked } from './discard';
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

  /** As the consumer parks, but for a reason and at a time of one's own. */
  async function put(headers: Record<string, string>): Promise<CloudEvent> {
    const event = memberAdded();
    await harness.inject(`${queue}.parked`, JSON.stringify(event), headers);
    return event;
  }
  const parkedReasons = async () => {
    const all = await listParked(url, harness.exchange);
    const own = all.find((found) => found.queue === queue)?.oldest ?? [];
    return own.map(({ reason }) => reason);
  };

  test('discard throws away what is parked for one reason, says what that was, and leaves the rest', async () => {
    await park(1);
    for (let at = 0; at < 3; at += 1) await put({ 'x-laurel-reason': 'refused:GONE' });
    await until(async () => (await countParked()) === 4);
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect(await run(['discard', queue, 'refused:GONE', '2'], { url, print })).toBe(0);
    expect(lines.at(-1)).toBe(`2 thrown away of ${queue}`);
    expect(
      lines.filter((line) => /identity\.member_added .* refused:GONE/.test(line)),
    ).toHaveLength(2);
    await until(async () => (await countParked()) === 2);
    expect(await parkedReasons()).toEqual(['attempts_exhausted', 'refused:GONE']);
    await until(async () => (await countParked()) === 2);
    expect(await run(['discard', queue, 'refused:GONE'], { url, print })).toBe(0);
    expect(lines.at(-1)).toBe(`1 thrown away of ${queue}`);
    await until(async () => (await countParked()) === 1);
  });

  test.each([[[]], [['refused:GONE', 'many']]])(
    'discard without a reason or with a limit that is none throws nothing away: %j',
    async (more) => {
      await put({ 'x-laurel-reason': 'refused:GONE' });
      await until(async () => (await countParked()) === 1);
      expect(await run(['discard', queue, ...more], { url, print: () => undefined })).toBe(2);
      expect(await countParked()).toBe(1);
    },
  );

  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

  test('what has been parked for thirty days is forgotten, wherever a look has put it, and nothing else', async () => {
    await put({ 'x-laurel-reason': 'unknown since when' });
    await put({ 'x-laurel-reason': 'old', 'x-laurel-parked-at': daysAgo(300) });
    await put({ 'x-laurel-reason': 'young', 'x-laurel-parked-at': daysAgo(29.99) });
    await put({ 'x-laurel-reason': 'old', 'x-laurel-parked-at': daysAgo(30.01) });
    await until(async () => (await countParked()) === 4);
    const queues = ['no.such-queue', queue];
    expect(await forgetParked(url, queues)).toEqual([
      { queue, count: 2, types: ['identity.member_added'] },
    ]);
    await until(async () => (await countParked()) === 2);
    expect(await parkedReasons()).toEqual(['unknown since when', 'young']);
    await until(async () => (await countParked()) === 2);
    expect(await forgetParked(url, queues)).toEqual([]);
  });

  test('of what is not to be forgotten a thousand are taken in hand and no more', async () => {
    const young = Array.from({ length: 1_000 }, () =>
      put({ 'x-laurel-reason': 'young', 'x-laurel-parked-at': daysAgo(1) }),
    );
    await Promise.all(young);
    await put({ 'x-laurel-reason': 'old', 'x-laurel-parked-at': daysAgo(300) });
    await until(async () => (await countParked()) === 1_001);
    expect(await forgetParked(url, [queue])).toEqual([]);
    await until(async () => (await countParked()) === 1_001);
  });
});
