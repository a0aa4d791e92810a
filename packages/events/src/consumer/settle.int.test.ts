import { Refusal } from '@laurel/errors';
import { until } from '@laurel/testing';
import type { CloudEvent } from '../envelope';
import { ConsumerBench } from '../testing/consumer-bench';
import { logger, memberAdded, RETRY_DELAYS_MS } from '../testing/harness';
import { createSettler } from './settle';

describe('what cannot be handled: a consumer', () => {
  let bench: ConsumerBench;

  beforeEach(async () => {
    bench = await ConsumerBench.open();
  });
  afterEach(() => bench.close());

  test('parks an event after its last attempt, with reason and count, and lets the others through', async () => {
    const [bad, good] = [memberAdded(), memberAdded()];
    const handled: string[] = [];
    await bench.consume({
      maxAttempts: 3,
      handlers: {
        '#': async (event: CloudEvent) => {
          if (event.id === bad.id) throw new TypeError('cannot be done');
          handled.push(event.id);
        },
      },
    });
    await bench.harness.broker.publish([bad, good]);
    await until(() => handled.includes(good.id));
    const parked = await until(async () => (await bench.parked())[0]);
    expect(parked).toMatchObject({
      eventId: bad.id,
      type: 'identity.member_added',
      reason: 'attempts_exhausted',
      attempts: 3,
      error: 'TypeError: cannot be done',
    });
  });

  test('parks poison and definite refusals at once, while the queue behind them flows', async () => {
    const refused = memberAdded();
    const handled: string[] = [];
    await bench.consume({
      handlers: {
        'identity.member_added': async (event) => {
          if (event.id === refused.id)
            throw new Refusal({ code: 'CONFLICT', httpStatus: 409 }, [{ message: 'no' }]);
          handled.push(event.id);
        },
      },
    });
    await bench.harness.inject(bench.queue, '{"half":');
    await bench.harness.inject(bench.queue, '{"specversion":"0.3"}');
    await bench.harness.inject(bench.queue, JSON.stringify({ ...memberAdded(), data: {} }));
    const good = memberAdded();
    await bench.harness.broker.publish([refused, good]);
    await until(() => handled.includes(good.id));
    const parked = await until(async () => {
      const found = await bench.parked();
      return found.length === 4 && found;
    });
    expect(parked.map(({ reason }) => reason).sort()).toEqual(
      ['invalid_data', 'invalid_envelope', 'invalid_json', 'refused:CONFLICT'].sort(),
    );
    expect(parked.every(({ attempts }) => attempts === 1)).toBe(true);
  });

  /** Gives each delivery back as a consumer does that dies with it, until `isOver`; returns how often each event came. */
  async function dieWith(isOver: (eventId: string, deliveries: number) => boolean) {
    const consumer = await bench.consume({ handlers: { '#': async () => undefined } });
    await consumer.stop();
    const family = { queue: bench.queue, ordered: false };
    const policy = { maxAttempts: 3, retryDelaysMs: RETRY_DELAYS_MS, newerRetryMs: 50 };
    const broker = await bench.harness.anotherBroker();
    const settler = createSettler(family, policy, { logger, broker });
    const deliveries = new Map<string, number>();
    const dying = broker.openChannel({
      name: 'dying',
      async setup(channel) {
        await channel.consume(bench.queue, async (message) => {
          if (!message || (await settler.setApart({ channel, message }))) return;
          const eventId: string = message.properties.messageId;
          const times = (deliveries.get(eventId) ?? 0) + 1;
          deliveries.set(eventId, times);
          // RabbitMQ 4.3 counts a rejection and a death, and no `nack`.
          if (isOver(eventId, times)) channel.ack(message);
          else channel.reject(message, true);
        });
      },
    });
    await dying.opened();
    return deliveries;
  }

  test('parks what keeps dying with its consumer, by the delivery limit of the queue', async () => {
    const killer = memberAdded();
    const deliveries = await dieWith(() => false);
    await bench.harness.broker.publish([killer]);
    const parked = await until(async () => (await bench.parked())[0]);
    expect(parked).toMatchObject({ eventId: killer.id, reason: 'delivery_limit' });
    expect(Date.now() - Date.parse(parked.parkedAt!)).toBeLessThan(600_000);
    expect(deliveries.get(killer.id)).toBeGreaterThan(20);
  });

  test('parks nothing that came back more often than the delivery limit with others that killed its consumer', async () => {
    const innocent = memberAdded();
    const handled: string[] = [];
    await dieWith((eventId, times) => times > 30 && handled.push(eventId) > 0);
    await bench.harness.broker.publish([innocent]);
    await until(() => handled.length > 0);
    expect(handled).toEqual([innocent.id]);
    expect(await bench.parked()).toEqual([]);
  });
});
