import { until } from '@laurel/testing';
import { createBroadcast } from '../broker/broadcast';
import { messaging } from '../metrics';
import { Harness, logger } from '../testing/harness';
import { Replica } from '../testing/replica';
import { EVERY_SLOT } from './slot-of';
import { takeSlots } from './slots';

describe('the slots of a service', () => {
  let harness: Harness;
  let replicas: Replica[];

  beforeEach(async () => {
    harness = await Harness.open();
    replicas = [];
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await harness.close();
  });

  async function start(): Promise<Replica> {
    const replica = await Replica.start(harness);
    replicas.push(replica);
    return replica;
  }

  const heldBy = (...some: Replica[]) =>
    some.flatMap(({ slots }) => slots.held()).sort((one, other) => one - other);

  test('are one replica’s as long as it is alone, and are shared evenly with who comes', async () => {
    const first = await start();
    await until(() => first.slots.held().length === 16);
    const second = await start();
    await until(() => first.slots.held().length === 8 && second.slots.held().length === 8);
    expect(heldBy(first, second)).toEqual(EVERY_SLOT);
  });

  test('are counted by who holds them, so that those without a holder are seen', async () => {
    const counted = async () => (await messaging.slotsHeld.get()).values.map(({ value }) => value);
    messaging.slotsHeld.reset();
    const starting = start();
    await until(async () => (await counted()).length === 1);
    const first = await starting;
    await until(async () => first.slots.held().length === 16);
    expect(await counted()).toEqual([16]);
    replicas.splice(replicas.indexOf(first), 1);
    await first.stop();
    expect(await counted()).toEqual([0]);
  });

  test('are taken up by a replica that does not hear the others, too: no slot stays without a holder because a call was lost', async () => {
    const first = await start();
    await until(() => first.slots.held().length === 16);
    const broker = await harness.anotherBroker();
    const broadcast = { ...createBroadcast(broker), listen: () => () => undefined };
    const deaf = await takeSlots({ broker, broadcast, logger, lookMs: 50 });
    try {
      await until(() => first.slots.held().length === 8 && deaf.held().length === 8);
    } finally {
      await deaf.stop();
    }
  });

  test('of a replica that stops, or is killed, are taken over by those who are left', async () => {
    const [first, second, third] = [await start(), await start(), await start()];
    await until(() => heldBy(first, second, third).length === 16);
    replicas.splice(replicas.indexOf(first), 1);
    await first.stop();
    await until(() => heldBy(second, third).length === 16);
    second.kill();
    await until(() => third.slots.held().length === 16);
    expect(second.slots.held()).toEqual([]);
  });

  test('pass to no other before what is in hand of them is done', async () => {
    const first = await start();
    await until(() => first.slots.held().length === 16);
    let finish = () => {};
    const working = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const left: number[] = [];
    first.slots.use({
      gained: () => undefined,
      lost: (slot) => {
        left.push(slot);
        return working;
      },
    });
    const coming = start();
    await until(() => left.length === 8);
    const stranger = await harness.anotherBroker();
    const lock = `${harness.exchange}.test.slot.${left[0]}`;
    expect(await stranger.takeLock(lock)).toBeNull();
    finish();
    const second = await coming;
    await until(() => second.slots.held().length === 8);
    expect([...second.slots.held()].sort()).toEqual([...left].sort());
  });
});
