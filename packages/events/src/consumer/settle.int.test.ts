import { Refusal } from '@laurel/errors';
import { until } from '@laurel/testing';
import type { CloudEvent } from '../envelope';
import { ConsumerBench } from '../testing/consumer-bench';
import { memberAdded } from '../testing/harness';

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

  test('parks what keeps dying with its consumer, by the delivery limit of the queue', async () => {
    const killer = memberAdded();
    const broker = await bench.harness.anotherBroker();
    let deliveries = 0;
    const dying = broker.openChannel({
      name: 'dying',
      async setup(channel) {
        await channel.prefetch(1);
        await channel.consume(bench.queue, (message) => {
          if (!message) return;
          deliveries += 1;
          channel.nack(message, false, true);
        });
      },
    });
    const consumer = await bench.consume({ handlers: { '#': async () => undefined } });
    await consumer.stop();
    await dying.opened();
    await bench.harness.broker.publish([killer]);
    const parked = await until(async () => (await bench.parked())[0]);
    expect(parked).toMatchObject({ eventId: killer.id, reason: 'delivery_limit' });
    expect(deliveries).toBeGreaterThan(20);
  });
});
