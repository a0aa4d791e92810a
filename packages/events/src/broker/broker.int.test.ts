import { testServers, until } from '@laurel/testing';
import { startConsumer } from '../consumer/consumer';
import type { CloudEvent } from '../envelope';
import { startRelay } from '../outbox/relay';
import { takeSlots } from '../slots/slots';
import { CuttableLink } from '../testing/cuttable-link';
import { anonymized, Harness, logger, memberAdded, RETRY_DELAYS_MS } from '../testing/harness';
import { createBroadcast } from './broadcast';
import { connectBroker } from './broker';
import { openTap } from './tap';

interface Effect {
  _id: string;
  times: number;
}

describe('the broker connection', () => {
  let harness: Harness;
  let link: CuttableLink;

  beforeEach(async () => {
    harness = await Harness.open();
    link = await CuttableLink.to(testServers().rabbitmqUrl);
  });
  afterEach(async () => {
    await harness.close();
    await link.close();
  });

  test('tells what was confirmed from what no queue takes, event by event', async () => {
    const tap = await openTap(harness.broker, ['clients.*']);
    const events = [memberAdded(), anonymized(), memberAdded(), anonymized()];
    expect(await harness.broker.publish(events)).toEqual([
      'returned',
      'confirmed',
      'returned',
      'confirmed',
    ]);
    await tap.until((heard) => heard.length === 2);
  });

  test('fails publishes at once while the broker is away, and says when it is back', async () => {
    const broker = await harness.anotherBroker(link.url);
    let returns = 0;
    const stopListening = broker.onConnected(() => {
      returns += 1;
    });
    link.cut();
    await until(() => !broker.isConnected());
    expect(await broker.publish([memberAdded()])).toEqual(['failed']);
    link.mend();
    await until(() => returns > 0);
    expect(broker.isConnected()).toBe(true);
    expect(await broker.publish([memberAdded()])).toEqual(['returned']);
    stopListening();
  });

  test('fails publishes at once while the broker has an alarm, and says when it is over: copies of what it does not read would make it longer', async () => {
    const broker = await harness.anotherBroker(link.url);
    let returns = 0;
    const stopListening = broker.onConnected(() => {
      returns += 1;
    });
    link.alarm();
    await broker.publish([memberAdded()]);
    await until(() => !broker.isConnected());
    expect(await broker.publish([memberAdded()])).toEqual(['failed']);
    link.endAlarm();
    await until(() => returns === 1);
    expect(await broker.publish([memberAdded()])).toEqual(['returned']);
    stopListening();
  });

  test('goes on consuming while the broker has an alarm and reads nothing of what is published', async () => {
    const broker = await harness.anotherBroker(link.url);
    const queue = harness.queueName();
    const handled: string[] = [];
    const consumer = await startConsumer({
      broker,
      connection: harness.connection,
      queue,
      logger,
      prefetch: 1,
      handlers: { '#': async (event) => void handled.push(event.id) },
    });
    link.alarm();
    await broker.publish([memberAdded()]);
    await until(() => broker.isBlocked());
    for (let number = 0; number < 3; number += 1)
      await harness.inject(queue, JSON.stringify(memberAdded()));
    // Each but the first comes when the one before it was acknowledged.
    await until(() => handled.length >= 3);
    await consumer.stop();
    link.endAlarm();
  });

  test('acknowledges while copies of what failed wait for the end of an alarm, and nothing of it is handled twice', async () => {
    const broker = await harness.anotherBroker(link.url);
    const queue = harness.queueName();
    const handled: string[] = [];
    const consumer = await startConsumer({
      broker,
      connection: harness.connection,
      queue,
      logger,
      prefetch: 2,
      retryDelaysMs: RETRY_DELAYS_MS,
      handlers: {
        '#': async (event) => {
          const isFirst = !handled.includes(event.id);
          handled.push(event.id);
          if (event.id === bad.id && isFirst) throw new Error('not yet');
        },
      },
    });
    const bad = memberAdded();
    link.alarm();
    await broker.publish([memberAdded()]);
    await until(() => broker.isBlocked());
    await harness.inject(queue, JSON.stringify(bad));
    for (let number = 0; number < 3; number += 1)
      await harness.inject(queue, JSON.stringify(memberAdded()));
    // With the one that met the alarm.
    await until(() => handled.length === 5);
    link.endAlarm();
    await until(() => handled.length === 6);
    expect(handled[5]).toBe(bad.id);
    await consumer.whenIdle();
    expect(handled).toHaveLength(6);
    await consumer.stop();
  });

  test('ends while the broker has an alarm, which reads no farewell', async () => {
    // Without heartbeats nothing but an answer ends what waits for one.
    const broker = await harness.anotherBroker(`${link.url}?heartbeat=0`);
    const slots = await takeSlots({ broker, broadcast: createBroadcast(broker), logger });
    link.alarm();
    await broker.publish([memberAdded()]);
    await until(() => broker.isBlocked());
    await slots.stop();
    await broker.close();
    expect(slots.held()).toEqual([]);
  });

  test('lets go of what a connection had that went before the broker could say so', async () => {
    const broker = await harness.anotherBroker(link.url);
    const lock = await broker.takeLock(`${harness.exchange}.lock`);
    link.loseReplies();
    const released = lock!.release();
    link.cut();
    await released;
    link.mend();
    await until(async () => (await harness.broker.takeLock(`${harness.exchange}.lock`)) !== null);
  });

  test('reports as failed what was under way when the broker went', async () => {
    const broker = await harness.anotherBroker(link.url);
    await openTap(harness.broker);
    const underWay = broker.publish(Array.from({ length: 400 }, () => memberAdded()));
    link.cut();
    expect(new Set(await underWay)).toContain('failed');
  });

  test('lost again and again, loses no event and doubles no effect', async () => {
    const broker = await harness.anotherBroker(link.url);
    const effects = harness.connection.collection<Effect>('effects');
    const outbox = harness.outbox();
    const relay = startRelay({ source: outbox, broker, logger, name: 'test', batchSize: 20 });
    const consumer = await startConsumer({
      broker,
      connection: harness.connection,
      queue: harness.queueName(),
      logger,
      retryDelaysMs: RETRY_DELAYS_MS,
      handlers: {
        '#': async (event, once) => {
          await once((session) =>
            effects.updateOne({ _id: event.id }, { $inc: { times: 1 } }, { upsert: true, session }),
          );
        },
      },
    });
    const committed: CloudEvent[] = [];
    for (let round = 0; round < 5; round += 1) {
      const events = Array.from({ length: 60 }, () => memberAdded());
      committed.push(...events);
      await harness.commit(outbox, ...events);
      await until(async () => (await effects.countDocuments()) > round * 60);
      link.cut();
      await until(() => !broker.isConnected());
      link.mend();
    }
    await relay.drained();
    await until(async () => (await effects.countDocuments()) === committed.length);
    await consumer.whenIdle();
    expect(await effects.countDocuments({ times: 1 })).toBe(committed.length);
    await relay.stop();
    await consumer.stop();
  });

  test('closes while the broker is away', async () => {
    const url = link.url;
    const broker = await connectBroker({
      url,
      logger,
      service: 'test',
      exchange: harness.exchange,
    });
    link.cut();
    await until(() => !broker.isConnected());
    await broker.close();
    expect(await broker.publish([memberAdded()])).toEqual(['failed']);
  });
});
