import { unitOfWork } from '@laurel/mongo';
import { until } from '@laurel/testing';
import { openTap } from '../broker/tap';
import type { CloudEvent } from '../envelope';
import { anonymized, Harness, logger, memberAdded } from '../testing/harness';
import { type Relay, startRelay } from './relay';
import type { OutboxSource } from './source';

const ids = (events: readonly CloudEvent[]) => events.map(({ id }) => id);

describe('the outbox relay', () => {
  let harness: Harness;
  let relays: Relay[];

  beforeEach(async () => {
    harness = await Harness.open();
    relays = [];
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await harness.close();
  });

  function relay(source: OutboxSource, broker = harness.broker, sweepMs?: number): Relay {
    const started = startRelay({ source, broker, logger, name: 'test', sweepMs });
    relays.push(started);
    return started;
  }

  test('publishes what was committed, in order, at once, and marks it', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    const running = relay(outbox, harness.broker, 60_000);
    await running.drained();
    const events = Array.from({ length: 20 }, () => memberAdded());
    await harness.commit(outbox, ...events);
    // The sweep is a minute away: only the end of the session can have woken the relay.
    await tap.until((heard) => heard.length >= events.length);
    expect(ids(tap.events)).toEqual(ids(events));
    await running.drained();
    expect(await outbox.oldestPendingAt()).toBeNull();
  });

  test('publishes nothing of a transaction that was rolled back', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    const running = relay(outbox);
    const session = await harness.connection.startSession();
    session.startTransaction();
    await outbox.append([memberAdded()], session);
    await session.abortTransaction();
    await session.endSession();
    const committed = memberAdded();
    await harness.commit(outbox, committed);
    await running.drained();
    await tap.until((heard) => heard.length > 0);
    expect(ids(tap.events)).toEqual([committed.id]);
  });

  test('relays what this process has just committed from memory: nothing is read, and only the mark is written', async () => {
    const outbox = harness.outbox();
    const running = relay(outbox, harness.broker, 60_000);
    await running.drained();
    const tap = await openTap(harness.broker);
    // The first after a while is when others' leftovers are looked for.
    await harness.commit(outbox, memberAdded());
    await tap.until((heard) => heard.length === 1);
    await running.drained();
    const claims = jest.spyOn(outbox as unknown as { claimStored(): unknown }, 'claimStored');
    // A machine that stood still for as long as lies between two looks makes the relay look again.
    await until(async () => {
      await running.drained();
      claims.mockClear();
      const event = memberAdded();
      await harness.commit(outbox, event);
      await tap.until((heard) => ids(heard).includes(event.id));
      return claims.mock.calls.length === 0;
    });
  });

  test('tells of an attempt that was run again once, and of one that was rolled back never', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    const running = relay(outbox);
    await running.drained();
    const [lost, kept] = [memberAdded(), memberAdded()];
    let attempts = 0;
    await unitOfWork(harness.connection, async (session) => {
      attempts += 1;
      await outbox.append([attempts === 1 ? lost : kept], session);
      if (attempts === 1) throw Object.assign(new Error('conflict'), { code: 112 });
    });
    const failing = unitOfWork(harness.connection, async (session) => {
      await outbox.append([memberAdded()], session);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await running.drained();
    await tap.until((heard) => heard.length > 0);
    expect(ids(tap.events)).toEqual([kept.id]);
  });

  test('what was not confirmed is not passed by what came after it', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    const flaky = await harness.anotherBroker();
    const publish = flaky.publish.bind(flaky);
    const [first, second] = [memberAdded(), memberAdded()];
    let refused = 0;
    flaky.publish = async (events) => {
      if (refused++ > 0) return publish(events);
      // Comes while the first is on its way.
      await harness.commit(outbox, second);
      return events.map(() => 'failed');
    };
    const running = relay(outbox, flaky);
    await running.drained();
    await harness.commit(outbox, first);
    await tap.until((heard) => heard.length === 2);
    expect(ids(tap.events)).toEqual([first.id, second.id]);
  });

  test('stop() leaves what it did not come to for others to take at once', async () => {
    const outbox = harness.outbox();
    const away = await harness.anotherBroker();
    const stopping = startRelay({ source: outbox, broker: away, logger, name: 'test' });
    await stopping.drained();
    jest.spyOn(away, 'isConnected').mockReturnValue(false);
    const event = memberAdded();
    await harness.commit(outbox, event);
    expect(await harness.outbox().claim(10, 200)).toEqual([]);
    await stopping.stop();
    expect(await harness.outbox().claim(10, 200)).toMatchObject([{ key: event.id }]);
  });

  test('two relays on one outbox publish everything and mark each row once', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    const events = Array.from({ length: 1_200 }, () => memberAdded());
    await harness.commit(outbox, ...events);
    let marked = 0;
    const counted: OutboxSource = new Proxy(outbox, {
      get: (target, name, receiver) =>
        name === 'markPublished'
          ? (keys: readonly string[]) => {
              marked += keys.length;
              return target.markPublished(keys);
            }
          : Reflect.get(target, name, receiver),
    });
    const both = [relay(counted), relay(counted, await harness.anotherBroker())];
    await Promise.all(both.map((one) => one.drained()));
    await tap.until((heard) => new Set(ids(heard)).size === events.length);
    expect(tap.events).toHaveLength(events.length);
    expect(marked).toBe(events.length);
  });

  test('an event that was not confirmed is published again', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    const event = memberAdded();
    await harness.commit(outbox, event);
    const flaky = await harness.anotherBroker();
    const publish = flaky.publish.bind(flaky);
    let refused = 0;
    flaky.publish = async (events) => {
      if (refused++ < 2) return events.map(() => 'failed');
      return publish(events);
    };
    await relay(outbox, flaky).drained();
    expect(refused).toBe(3);
    await tap.until((heard) => heard.length === 1);
    expect(ids(tap.events)).toEqual([event.id]);
  });

  test('a relay that died between publish and mark is made good by the next one', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    const event = memberAdded();
    await harness.commit(outbox, event);
    const [claimed] = await outbox.claim(10, 25_000);
    expect(await harness.broker.publish([claimed!.event])).toEqual(['confirmed']);
    expect(await outbox.claim(10, 25_000)).toEqual([]);
    const rows = harness.connection.collection('outbox');
    await rows.updateMany({}, { $set: { lease_until: new Date(0) } });
    await relay(outbox, harness.broker, 50).drained();
    await tap.until((heard) => heard.length === 2);
    expect(ids(tap.events)).toEqual([event.id, event.id]);
  });

  test('an event that somebody must hear stays pending until its binding is there; others flow', async () => {
    const outbox = harness.outbox();
    const required = anonymized();
    const optional = memberAdded();
    await harness.commit(outbox, required, optional);
    const releases = jest.spyOn(outbox, 'release');
    const running = relay(outbox);
    await until(async () => (await outbox.pendingCount()) === 1);
    // Held back for a while, so that it is not asked for again and again.
    await until(() => releases.mock.calls.length > 0);
    expect(releases.mock.calls[0]).toEqual([[required.id], 2_000]);
    const tap = await openTap(harness.broker);
    await running.drained();
    await tap.until((heard) => heard.length === 1);
    expect(ids(tap.events)).toEqual([required.id]);
  });

  test('a store that fails for a while delays events and loses none', async () => {
    const outbox = harness.outbox();
    const tap = await openTap(harness.broker);
    await harness.commit(outbox, memberAdded());
    let failures = 0;
    const failing: OutboxSource = new Proxy(outbox, {
      get: (target, name, receiver) =>
        name === 'claim' && failures++ < 3
          ? () => Promise.reject(new Error('the store is away'))
          : Reflect.get(target, name, receiver),
    });
    await relay(failing).drained();
    await tap.until((heard) => heard.length === 1);
    expect(failures).toBeGreaterThan(3);
  });

  test('stop() ends a relay that sleeps, and leaves nothing claimed', async () => {
    const outbox = harness.outbox();
    const sleeping = startRelay({
      source: outbox,
      broker: harness.broker,
      logger,
      name: 'test',
      sweepMs: 60_000,
    });
    await sleeping.drained();
    await sleeping.stop();
    await harness.commit(outbox, memberAdded());
    expect(await outbox.claim(10, 1)).toHaveLength(1);
  });
});
