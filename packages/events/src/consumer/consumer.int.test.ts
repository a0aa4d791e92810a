import { currentContext } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { type CloudEvent, createEvent } from '../envelope';
import { ConsumerBench } from '../testing/consumer-bench';
import { anonymized, memberAdded, workspaceId } from '../testing/harness';
import type { Once } from './inbox';
import { batchOf } from './types';

describe('a consumer', () => {
  let bench: ConsumerBench;

  beforeEach(async () => {
    bench = await ConsumerBench.open();
  });
  afterEach(() => bench.close());

  test('handles a redelivered event with one effect', async () => {
    let handled = 0;
    const consumer = await bench.consume({
      handlers: {
        '#': async (event: CloudEvent, once: Once) => {
          await once(bench.countEffect(event));
          handled += 1;
        },
      },
    });
    const event = memberAdded();
    for (let copy = 0; copy < 5; copy += 1) await bench.harness.broker.publish([event]);
    await until(() => handled === 5);
    await consumer.whenIdle();
    expect(await bench.timesOf(event)).toBe(1);
  });

  test('handles copies of one event on several replicas with one effect', async () => {
    let handled = 0;
    const handle = async (event: CloudEvent, once: Once) => {
      await once(bench.countEffect(event));
      handled += 1;
    };
    const [one] = await Promise.all([
      bench.consume({ handlers: { '#': handle } }),
      bench.consume({ handlers: { '#': handle } }, await bench.harness.anotherBroker()),
    ]);
    const event = memberAdded();
    await bench.harness.broker.publish(Array.from({ length: 20 }, () => event));
    await until(() => handled >= 20);
    await one.whenIdle();
    expect(await bench.timesOf(event)).toBe(1);
  });

  test('keeps one effect when it crashes between the effect and the acknowledgement', async () => {
    const event = memberAdded();
    let attempts = 0;
    const consumer = await bench.consume({
      handlers: {
        '#': async (received: CloudEvent, once: Once) => {
          await once(bench.countEffect(received));
          attempts += 1;
          if (attempts === 1) throw new Error('crashed after the commit');
        },
      },
    });
    await bench.harness.broker.publish([event]);
    await until(() => attempts === 2);
    await consumer.whenIdle();
    expect(await bench.timesOf(event)).toBe(1);
  });

  test('an outage of the store costs an event none of its attempts', async () => {
    let outages = 2;
    const consumer = await bench.consume({
      maxAttempts: 1,
      handlers: {
        '#': async (event: CloudEvent, once: Once) => {
          outages -= 1;
          if (outages >= 0) throw Object.assign(new Error('away'), { name: 'MongoNetworkError' });
          await once(bench.countEffect(event));
        },
      },
    });
    const event = memberAdded();
    await bench.harness.broker.publish([event]);
    await until(async () => (await bench.timesOf(event)) === 1);
    await consumer.whenIdle();
    expect(await bench.parked()).toEqual([]);
  });

  test('leaves no effect and no trace in the inbox when the effect fails, and tries again', async () => {
    let attempts = 0;
    const consumer = await bench.consume({
      handlers: {
        '#': (event: CloudEvent, once: Once) =>
          once(async (session) => {
            await bench.countEffect(event)(session);
            attempts += 1;
            if (attempts < 3) throw new Error('half way');
          }),
      },
    });
    const event = memberAdded();
    await bench.harness.broker.publish([event]);
    await until(() => attempts === 3);
    await consumer.whenIdle();
    expect(await bench.timesOf(event)).toBe(1);
  });

  test('keeps several effects of one event apart by their steps', async () => {
    const done: string[] = [];
    const consumer = await bench.consume({
      handlers: {
        '#': async (_: CloudEvent, once: Once) => {
          await once(async () => void done.push('first'), 'first');
          await once(async () => void done.push('second'), 'second');
        },
      },
    });
    const event = memberAdded();
    await bench.harness.broker.publish([event, event]);
    await until(() => done.length >= 2);
    await consumer.whenIdle();
    expect(done).toEqual(['first', 'second']);
  });

  test('does what its table names, patterns included, and lets pass what it does not', async () => {
    const heard: string[] = [];
    const consumer = await bench.consume({
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
    // More than a routing key can carry.
    const event_type = '名'.repeat(100);
    const wide = createEvent(`custom.${event_type}`, {
      workspaceId,
      subject: trail.id,
      data: { ...trail, event_type },
    });
    const outcomes = await bench.harness.broker.publish([memberAdded(), custom, wide]);
    expect(outcomes.slice(1)).toEqual(['confirmed', 'confirmed']);
    await until(() => heard.length === 2);
    await consumer.whenIdle();
    expect(heard.sort()).toEqual(['custom.birthday.today', `custom.${event_type}`]);
    expect(await bench.parked()).toEqual([]);
  });

  test('handles an event in the context of what caused it', async () => {
    const event = memberAdded();
    const seen: unknown[] = [];
    await bench.consume({ handlers: { '#': async () => void seen.push(currentContext()) } });
    await bench.harness.broker.publish([event]);
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
    const consumer = await bench.consume({
      handlers: {
        '#': async (event: CloudEvent, once: Once) => {
          await once(bench.countEffect(event));
          order.push(event.id);
        },
      },
    });
    await bench.harness.broker.publish(events);
    await until(() => order.length === events.length);
    await consumer.whenIdle();
    expect(order).toEqual(events.map(({ id }) => id));
  });

  test('in batches: one effect per event, and a bad one does not hold up the others', async () => {
    const events = Array.from({ length: 30 }, () => memberAdded());
    const bad = events[7]!;
    const sizes: number[] = [];
    const consumer = await bench.consume({
      maxAttempts: 2,
      prefetch: 10,
      batch: batchOf(['#'], (batch, once) =>
        once(async (session, fresh) => {
          sizes.push(batch.length);
          if (fresh.some(({ id }) => id === bad.id)) throw new Error('bad one');
          for (const event of fresh) await bench.countEffect(event)(session);
        }),
      ),
    });
    await bench.harness.broker.publish([...events, ...events.filter((event) => event !== bad)]);
    await until(async () => (await bench.parked()).length === 1);
    await consumer.whenIdle();
    const times = await Promise.all(events.map((event) => bench.timesOf(event)));
    expect(times).toEqual(events.map((event) => (event === bad ? 0 : 1)));
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  test('a batch with a bad event is halved: what it costs the others hardly grows with their number', async () => {
    const bad = new Set<string>();
    let withBad: number[] = [];
    let handled: string[] = [];
    const consumer = await bench.consume({
      maxAttempts: 1,
      prefetch: 64,
      batch: batchOf(['#'], async (batch) => {
        if (batch.some(({ id }) => bad.has(id))) {
          withBad.push(batch.length);
          throw new Error('bad one');
        }
        handled.push(...batch.map(({ id }) => id));
      }),
    });
    // On a machine that stands still as they come, the bad one may come alone.
    await until(async () => {
      [withBad, handled] = [[], []];
      const events = Array.from({ length: 64 }, () => memberAdded());
      bad.add(events[41]!.id);
      const parkedBefore = (await bench.parked()).length;
      await bench.harness.broker.publish(events);
      await until(async () => (await bench.parked()).length === parkedBefore + 1);
      await consumer.whenIdle();
      expect(handled).toEqual(events.filter(({ id }) => !bad.has(id)).map(({ id }) => id));
      return withBad[0]! > 2;
    });
    for (const [at, size] of withBad.slice(1).entries())
      expect(Math.abs(size - withBad[at]! / 2)).toBeLessThanOrEqual(0.5);
    expect(withBad.at(-1)).toBe(1);
  });

  test('copies of an event that come together are in a batch once', async () => {
    const events = Array.from({ length: 10 }, () => memberAdded());
    const batches: string[][] = [];
    const consumer = await bench.consume({
      prefetch: 100,
      batch: batchOf(['#'], async (batch) => void batches.push(batch.map(({ id }) => id))),
    });
    await bench.harness.broker.publish(events.flatMap((event) => [event, event, event]));
    await until(() => new Set(batches.flat()).size === events.length);
    await consumer.whenIdle();
    for (const ids of batches) expect(ids).toEqual([...new Set(ids)]);
  });

  test('what comes after a batch of several is gathered into one, and what comes alone is not kept waiting', async () => {
    const batches: string[][] = [];
    const consumer = await bench.consume({
      prefetch: 100,
      batch: batchOf(['#'], async (batch) => void batches.push(batch.map(({ id }) => id))),
    });
    const handled = () => batches.flat().length;
    const alone = memberAdded();
    await bench.harness.broker.publish([alone]);
    await until(() => handled() === 1);
    expect(batches).toEqual([[alone.id]]);
    // Ten that come one after the other would be ten batches. On a machine that stands still as they come, they may be.
    await until(async () => {
      const sent = handled();
      await bench.harness.broker.publish(Array.from({ length: 20 }, () => memberAdded()));
      await until(() => handled() > sent);
      const before = batches.length;
      const later = Array.from({ length: 10 }, () => memberAdded());
      for (const event of later) await bench.harness.broker.publish([event]);
      await until(() => handled() === sent + 30);
      await consumer.whenIdle();
      return batches.length - before < 10;
    });
  });

  test('comes back after its channel is lost', async () => {
    const handled: string[] = [];
    const consumer = await bench.consume({
      handlers: { '#': async (event: CloudEvent) => void handled.push(event.id) },
    });
    await bench.harness.loseQueue(bench.queue);
    const event = anonymized();
    await until(async () => (await bench.harness.broker.publish([event]))[0] === 'confirmed');
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
    const consumer = await bench.consume({
      prefetch: 1,
      handlers: {
        '#': async (event: CloudEvent) => {
          started.push(event.id);
          await held;
          finished.push(event.id);
        },
      },
    });
    await bench.harness.broker.publish([first, second]);
    await until(() => started.length === 1);
    const stopped = consumer.stop();
    release();
    await stopped;
    expect(finished).toEqual([first.id]);
    expect(started).toEqual([first.id]);
    await bench.consume({
      handlers: { '#': async (event: CloudEvent) => void finished.push(event.id) },
    });
    await until(() => finished.length === 2);
    expect(finished).toEqual([first.id, second.id]);
  });
});
