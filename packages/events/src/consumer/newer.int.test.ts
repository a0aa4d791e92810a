import { until } from '@laurel/testing';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { CloudEvent } from '../envelope';
import { Poison } from '../envelope';
import { ConsumerBench } from '../testing/consumer-bench';
import { logger, memberAdded } from '../testing/harness';
import { createSettler } from './settle';
import { batchOf } from './types';

const DAY_MS = 86_400_000;

describe('while two releases run side by side', () => {
  let bench: ConsumerBench;
  beforeEach(async () => {
    bench = await ConsumerBench.open();
  });
  afterEach(() => bench.close());

  const unknown = [
    ['a type', { type: 'identity.member_teleported' }],
    ['a version', { dataversion: 99 }],
  ] as const;

  test.each(unknown)(
    'an event of %s that this release does not know waits for the one that does, and is no poison',
    async (_, part) => {
      const event = { ...memberAdded(), ...part } as CloudEvent;
      const handled: string[] = [];
      const old = await bench.consume({
        maxAttempts: 1,
        newerRetryMs: 50,
        handlers: { 'identity.member_added': async ({ id }) => void handled.push(id) },
      });
      await bench.harness.inject(bench.queue, JSON.stringify(event));
      const known = memberAdded();
      await bench.harness.broker.publish([known]);
      // What it knows goes past what waits.
      await until(() => handled.includes(known.id));
      await old.stop();
      expect(handled).toEqual([known.id]);
      // It is still there for the next consumer: here a tap in place of the newer release.
      const admin = await bench.harness.anotherBroker();
      const taken: string[] = [];
      admin.openChannel({
        name: 'newer',
        async setup(channel: ConfirmChannel) {
          await channel.consume(bench.queue, (message: ConsumeMessage | null) => {
            if (!message) return;
            taken.push(JSON.parse(message.content.toString('utf8')).id);
            channel.ack(message);
          });
        },
      });
      await until(() => taken.includes(event.id));
      expect(await bench.parked()).toEqual([]);
    },
  );

  test('batches let what they do not know wait too, and handle the rest', async () => {
    const newer = { ...memberAdded(), dataversion: 99 };
    const handled: string[] = [];
    const consumer = await bench.consume({
      maxAttempts: 1,
      newerRetryMs: 60_000,
      batch: batchOf(['#'], async (events) => void handled.push(...events.map(({ id }) => id))),
    });
    await bench.harness.inject(bench.queue, JSON.stringify(newer));
    const known = memberAdded();
    await bench.harness.broker.publish([known]);
    await until(() => handled.includes(known.id));
    await consumer.stop();
    expect(handled).toEqual([known.id]);
    expect(await bench.parked()).toEqual([]);
  });
});

test('what has waited for a newer release for a day is parked, with its reason', async () => {
  const copies: string[] = [];
  const channel = {
    assertQueue: async () => undefined,
    ack: () => undefined,
  } as unknown as ConfirmChannel;
  const broker = {
    copy: async (queue: string) => void copies.push(queue),
    isBlocked: () => false,
  };
  const policy = { maxAttempts: 8, retryDelaysMs: [500], newerRetryMs: 700 };
  const settler = createSettler({ queue: 'queue', ordered: false }, policy, { logger, broker });
  const failed = (since?: number) => {
    const headers = since === undefined ? {} : { 'x-laurel-waiting-since': since };
    const properties = { headers, messageId: 'event' };
    const fields = { deliveryTag: copies.length + 1 };
    const content = Buffer.from('{}');
    const message = { content, fields, properties } as unknown as ConsumeMessage;
    return settler.failed({ channel, message }, new Poison('unknown_type', 'no'));
  };
  await failed();
  await failed(Date.now() - DAY_MS + 60_000);
  await failed(Date.now() - DAY_MS - 60_000);
  expect(copies).toEqual(['queue.retry.700', 'queue.retry.700', 'queue.parked']);
});
