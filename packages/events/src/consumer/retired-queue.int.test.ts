import { testServers, until } from '@laurel/testing';
import { run } from '../cli';
import { anonymized, Harness, logger } from '../testing/harness';
import { Replica } from '../testing/replica';
import { startConsumer } from './consumer';
import { lookAtQueue } from './look-at-queue';
import { RetiredQueue } from './retired-queue';
import { declareParking, declareRetry, parkedQueue, retryQueue, slotsExchange } from './topology';

describe('a queue that a release has given up', () => {
  let harness: Harness;
  let queue: string;
  let retired: RetiredQueue;

  beforeEach(async () => {
    harness = await Harness.open();
    queue = harness.queueName();
    retired = new RetiredQueue({ broker: harness.broker, queue, logger });
  });
  afterEach(() => harness.close());

  const isThere = async (name: string) => (await lookAtQueue(harness.broker, name)) !== null;
  const whenLeft = (name: string) =>
    until(async () => (await lookAtQueue(harness.broker, name))?.consumerCount === 0);
  const startOlder = () =>
    startConsumer({
      broker: harness.broker,
      connection: harness.connection,
      queue,
      logger,
      handlers: { '#': async () => undefined },
    });

  test('stays as long as an earlier release consumes it, and then goes with what is in it, is parked or is tried again', async () => {
    const older = await startOlder();
    const family = { queue, ordered: false };
    await harness.broker.onChannel((channel) => declareRetry(channel, family, 500));
    for (let looks = 0; looks < 4; looks += 1) await retired.look();
    expect(await isThere(queue)).toBe(true);
    await older.stop();
    await harness.broker.publish([anonymized(), anonymized()]);
    await harness.inject(parkedQueue(queue), JSON.stringify(anonymized()));
    await whenLeft(queue);
    await retired.look();
    // A replica that is only started again has it at the next look.
    expect(await isThere(queue)).toBe(true);
    await retired.look();
    for (const name of [queue, parkedQueue(queue), retryQueue(family, 500)])
      expect(await isThere(name)).toBe(false);
  });

  test('goes with its slots, where its events were divided', async () => {
    queue = harness.orderedQueueName();
    retired = new RetiredQueue({ broker: harness.broker, queue, logger });
    const older = await Replica.start(harness);
    await older.consume(queue, { handlers: { '#': async () => undefined } });
    const slots = [0, 15].map((slot) => `${slotsExchange(queue)}.${slot}`);
    for (let looks = 0; looks < 4; looks += 1) await retired.look();
    for (const slot of slots) expect(await isThere(slot)).toBe(true);
    await older.stop();
    await until(async () => {
      await retired.look();
      return !(await isThere(parkedQueue(queue)));
    });
    for (const slot of slots) expect(await isThere(slot)).toBe(false);
    await expect(
      harness.broker.onChannel((channel) => channel.checkExchange(slotsExchange(queue))),
    ).rejects.toMatchObject({ code: 404 });
  });

  test('that no release has any more is deleted by hand with all that belongs to it, and only once no replica reads it', async () => {
    queue = harness.orderedQueueName();
    const lines: string[] = [];
    const url = testServers().rabbitmqUrl;
    const retire = () => run(['retire', queue], { url, print: (line) => void lines.push(line) });
    expect(await retire()).toBe(1);
    const older = await Replica.start(harness);
    await older.consume(queue, { handlers: { '#': async () => undefined } });
    const slots = [0, 15].map((slot) => `${slotsExchange(queue)}.${slot}`);
    await until(() => older.slots.held().length === 16);
    expect(await retire()).toBe(1);
    await older.stop();
    for (const slot of slots) await whenLeft(slot);
    await harness.broker.publish([anonymized(), anonymized()]);
    await harness.inject(parkedQueue(queue), JSON.stringify(anonymized()));
    expect(await retire()).toBe(0);
    expect(lines).toEqual([
      `there is no queue ${queue}`,
      `${queue} is consumed: stop what reads it first`,
      expect.stringMatching(
        `${queue} was deleted, with . events that waited and . that were parked`,
      ),
    ]);
    for (const name of [...slots, parkedQueue(queue)]) expect(await isThere(name)).toBe(false);
  });

  test('is deleted to its end although a process died amid that', async () => {
    await harness.broker.onChannel((channel) => declareParking(channel, queue));
    for (let looks = 0; looks < 2; looks += 1) await retired.look();
    expect(await isThere(parkedQueue(queue))).toBe(false);
  });

  test('is left alone while another replica is at it', async () => {
    await harness.broker.onChannel((channel) => declareParking(channel, queue));
    const other = await harness.anotherBroker();
    const lock = await other.takeLock(`${queue}.retiring`);
    for (let looks = 0; looks < 4; looks += 1) await retired.look();
    expect(await isThere(parkedQueue(queue))).toBe(true);
    await lock!.release();
    await until(async () => {
      await retired.look();
      return !(await isThere(parkedQueue(queue)));
    });
  });

  test("is an earlier release's again after the way back: who has found nothing deletes nothing later", async () => {
    await retired.look();
    const older = await startOlder();
    await older.stop();
    await whenLeft(queue);
    for (let looks = 0; looks < 4; looks += 1) await retired.look();
    expect(await isThere(queue)).toBe(true);
  });
});
