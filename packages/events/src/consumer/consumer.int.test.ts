import { Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import { testServers, until } from '@laurel/testing';
import { type CloudEvent, createEvent } from '../envelope';
import { listParked } from '../parking/parking';
import {
  anonymized,
  Harness,
  logger,
  memberAdded,
  RETRY_DELAYS_MS,
  workspaceId,
} from '../testing/harness';
import { startConsumer } from './consumer';
import type { Once } from './inbox';
import type { Consumer, ConsumerSettings } from './types';

interface Effect {
  _id: string;
  times: number;
}

describe('a consumer', () => {
  let harness: Harness;
  let queue: string;
  let consumers: Consumer[];

  beforeEach(async () => {
    harness = await Harness.open();
    queue = harness.queueName();
    consumers = [];
  });
  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await harness.close();
  });

  type Given = Partial<ConsumerSettings> &
    Pick<ConsumerSettings, 'handle' | 'handlers' | 'handleBatch'>;
  async function consume(given: Partial<Given>, broker = harness.broker): Promise<Consumer> {
    const settings = {
      broker,
      connection: harness.connection,
      queue,
      bindings: ['#'],
      logger,
      retryDelaysMs: RETRY_DELAYS_MS,
      ...given,
    };
    const consumer = await startConsumer(settings as ConsumerSettings);
    consumers.push(consumer);
    return consumer;
  }

  /** The effect every test counts: one more for this event. */
  const effects = () => harness.connection.collection<Effect>('effects');
  const countEffect = (event: CloudEvent) => (session: Parameters<Parameters<Once>[0]>[0]) =>
    effects().updateOne({ _id: event.id }, { $inc: { times: 1 } }, { upsert: true, session });
  const timesOf = async (event: CloudEvent) =>
    (await effects().findOne({ _id: event.id }))?.times ?? 0;
  const parkedHere = async () =>
    (await listParked(testServers().rabbitmqUrl, harness.exchange)).find(
      (parked) => parked.queue === queue,
    )?.oldest ?? [];

  test('handles a redelivered event with one effect', async () => {
    let handled = 0;
    const consumer = await consume({
      handle: async (event: CloudEvent, once: Once) => {
        await once(countEffect(event));
        handled += 1;
      },
    });
    const event = memberAdded();
    for (let copy = 0; copy < 5; copy += 1) await harness.broker.publish([event]);
    await until(() => handled === 5);
    await consumer.whenIdle();
    expect(await timesOf(event)).toBe(1);
  });

  test('handles copies of one event on several replicas with one effect', async () => {
    let handled = 0;
    const handle = async (event: CloudEvent, once: Once) => {
      await once(countEffect(event));
      handled += 1;
    };
    const [one] = await Promise.all([
      consume({ handle }),
      consume({ handle }, await harness.anotherBroker()),
    ]);
    const event = memberAdded();
    await harness.broker.publish(Array.from({ length: 20 }, () => event));
    await until(() => handled >= 20);
    await one.whenIdle();
    expect(await timesOf(event)).toBe(1);
  });

  test('keeps one effect when it crashes between the effect and the acknowledgement', async () => {
    const event = memberAdded();
    let attempts = 0;
    const consumer = await consume({
      handle: async (received: CloudEvent, once: Once) => {
        await once(countEffect(received));
        attempts += 1;
        if (attempts === 1) throw new Error('crashed after the commit');
      },
    });
    await harness.broker.publish([event]);
    await until(() => attempts === 2);
    await consumer.whenIdle();
    expect(await timesOf(event)).toBe(1);
  });

  test('leaves no effect and no trace in the inbox when the effect fails, and tries again', async () => {
    let attempts = 0;
    const consumer = await consume({
      handle: (event: CloudEvent, once: Once) =>
        once(async (session) => {
          await countEffect(event)(session);
          attempts += 1;
          if (attempts < 3) throw new Error('half way');
        }),
    });
    const event = memberAdded();
    await harness.broker.publish([event]);
    await until(() => attempts === 3);
    await consumer.whenIdle();
    expect(await timesOf(event)).toBe(1);
  });

  test('keeps several effects of one event apart by their steps', async () => {
    const done: string[] = [];
    const consumer = await consume({
      handle: async (_: CloudEvent, once: Once) => {
        await once(async () => void done.push('first'), 'first');
        await once(async () => void done.push('second'), 'second');
      },
    });
    const event = memberAdded();
    await harness.broker.publish([event, event]);
    await until(() => done.length >= 2);
    await consumer.whenIdle();
    expect(done).toEqual(['first', 'second']);
  });

  test('parks an event after its last attempt, with reason and count, and lets the others through', async () => {
    const [bad, good] = [memberAdded(), memberAdded()];
    const handled: string[] = [];
    await consume({
      maxAttempts: 3,
      handle: async (event: CloudEvent) => {
        if (event.id === bad.id) throw new TypeError('cannot be done');
        handled.push(event.id);
      },
    });
    await harness.broker.publish([bad, good]);
    await until(() => handled.includes(good.id));
    const parked = await until(async () => (await parkedHere())[0]);
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
    await consume({
      handlers: {
        'identity.member_added': async (event) => {
          if (event.id === refused.id) throw new Refusal('CONFLICT', 409, [{ message: 'no' }]);
          handled.push(event.id);
        },
      },
    });
    await harness.inject(queue, '{"half":');
    await harness.inject(queue, '{"specversion":"0.3"}');
    await harness.inject(queue, JSON.stringify({ ...memberAdded(), dataversion: 99 }));
    await harness.inject(queue, JSON.stringify({ ...memberAdded(), data: {} }));
    const good = memberAdded();
    await harness.broker.publish([refused, good]);
    await until(() => handled.includes(good.id));
    const parked = await until(async () => {
      const found = await parkedHere();
      return found.length === 5 && found;
    });
    expect(parked.map(({ reason }) => reason).sort()).toEqual(
      [
        'invalid_data',
        'invalid_envelope',
        'invalid_json',
        'refused:CONFLICT',
        'unknown_version',
      ].sort(),
    );
    expect(parked.every(({ attempts }) => attempts === 1)).toBe(true);
  });

  test('parks what keeps dying with its consumer, by the delivery limit of the queue', async () => {
    const killer = memberAdded();
    const broker = await harness.anotherBroker();
    let deliveries = 0;
    const dying = broker.openChannel({
      name: 'dying',
      async setup(channel) {
        await channel.prefetch(1);
        await channel.consume(queue, (message) => {
          if (!message) return;
          deliveries += 1;
          channel.nack(message, false, true);
        });
      },
    });
    const consumer = await consume({ handle: async () => undefined });
    await consumer.stop();
    await dying.opened();
    await harness.broker.publish([killer]);
    const parked = await until(async () => (await parkedHere())[0]);
    expect(parked).toMatchObject({ eventId: killer.id, reason: 'delivery_limit' });
    expect(deliveries).toBeGreaterThan(20);
  });

  test('does what its table names, patterns included, and lets pass what it does not', async () => {
    const heard: string[] = [];
    const consumer = await consume({
      handlers: { 'custom.*': async (event) => void heard.push(event.type) },
    });
    const trail = {
      id: memberAdded().id,
      workspace_id: workspaceId,
      pass_id: null,
      client_id: null,
      event_category: 'custom',
      event_type: 'birthday.today',
      event_timestamp: '2026-05-04T10:15:30.000Z',
      source: null,
      external_id: null,
      metadata: {},
      amount: null,
      currency: null,
      field_name: null,
      old_value: null,
      new_value: null,
    };
    const custom = createEvent('custom.birthday.today', {
      workspaceId,
      subject: trail.id,
      data: trail,
    });
    const unknown = { ...memberAdded(), type: 'identity.of_the_future' };
    await harness.broker.publish([memberAdded(), unknown, custom]);
    await until(() => heard.length === 1);
    await consumer.whenIdle();
    expect(heard).toEqual(['custom.birthday.today']);
    expect(await parkedHere()).toEqual([]);
  });

  test('handles an event in the context of what caused it', async () => {
    const event = memberAdded();
    const seen: unknown[] = [];
    await consume({ handle: async () => void seen.push(currentContext()) });
    await harness.broker.publish([event]);
    await until(() => seen.length === 1);
    expect(seen[0]).toMatchObject({
      requestId: event.requestid,
      causationId: event.id,
      operationId: event.id,
      workspaceId,
    });
  });

  test('handles the events of one subject in order, however long each takes', async () => {
    const subject = memberAdded().id;
    const events = Array.from({ length: 10 }, () => ({ ...memberAdded(), subject }));
    const order: string[] = [];
    const consumer = await consume({
      handle: async (event: CloudEvent, once: Once) => {
        await once(countEffect(event));
        order.push(event.id);
      },
    });
    await harness.broker.publish(events);
    await until(() => order.length === events.length);
    await consumer.whenIdle();
    expect(order).toEqual(events.map(({ id }) => id));
  });

  test('in batches: one effect per event, and a bad one does not hold up the others', async () => {
    const events = Array.from({ length: 30 }, () => memberAdded());
    const bad = events[7]!;
    const sizes: number[] = [];
    const consumer = await consume({
      maxAttempts: 2,
      prefetch: 10,
      handleBatch: (batch, once) =>
        once(async (session, fresh) => {
          sizes.push(batch.length);
          if (fresh.some(({ id }) => id === bad.id)) throw new Error('bad one');
          for (const event of fresh) await countEffect(event)(session);
        }),
    });
    await harness.broker.publish([...events, ...events.filter((event) => event !== bad)]);
    await until(async () => (await parkedHere()).length === 1);
    await consumer.whenIdle();
    const times = await Promise.all(events.map(timesOf));
    expect(times).toEqual(events.map((event) => (event === bad ? 0 : 1)));
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  test('comes back after its channel is lost', async () => {
    const handled: string[] = [];
    const consumer = await consume({
      handle: async (event: CloudEvent) => void handled.push(event.id),
    });
    await harness.loseQueue(queue);
    const event = anonymized();
    await until(async () => (await harness.broker.publish([event]))[0] === 'confirmed');
    await until(() => handled.includes(event.id));
    await consumer.whenIdle();
  });

  test('stop() finishes what is in hand, takes nothing new, and loses nothing', async () => {
    const [first, second] = [memberAdded(), memberAdded()];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started: string[] = [];
    const finished: string[] = [];
    const consumer = await consume({
      prefetch: 1,
      handle: async (event: CloudEvent) => {
        started.push(event.id);
        await held;
        finished.push(event.id);
      },
    });
    await harness.broker.publish([first, second]);
    await until(() => started.length === 1);
    const stopped = consumer.stop();
    release();
    await stopped;
    expect(finished).toEqual([first.id]);
    expect(started).toEqual([first.id]);
    await consume({ handle: async (event: CloudEvent) => void finished.push(event.id) });
    await until(() => finished.length === 2);
    expect(finished).toEqual([first.id, second.id]);
  });
});
