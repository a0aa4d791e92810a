import { platform } from '@laurel/errors';
import { EVERY_SLOT, slotOf } from '@laurel/events';
import { GivenSlots, takeUp, until, workOff } from '@laurel/testing';
import type { Deps } from '../deps';
import { AWAY_MS } from '../domain/retry';
import { Harness } from '../testing/harness';
import { visitOf } from '../testing/visit';
import { createTriggers } from './take-triggers';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
  const effect = {
    type: 'earn_points',
    wallet_type_code: 'points',
    amount_type: 'expression',
    amount_expression: 'event.metadata.number',
  };
  await harness.newRule({ effects: [effect] });
});
afterEach(() => harness.close());

const ignore = () => undefined;
const slotOfClient = (subject: string) => slotOf({ workspaceid: harness.workspaceId, subject });
const allBut = (slot: number) => EVERY_SLOT.filter((each) => each !== slot);

/** A visit that earns so many points. */
function visit(client: string, number: number) {
  const made = visitOf(harness.workspaceId, client);
  return { ...made, data: { ...made.data, metadata: { number } } };
}

/** What a client earned, in the order in which it did. */
const earned = (client: string) =>
  [...harness.entries.values()]
    .filter(({ clientId }) => clientId === client)
    .map(({ amount }) => amount);

/** Puts events aside as a process does that has no room, one after the other. */
async function putAside(...events: ReturnType<typeof visit>[]): Promise<void> {
  for (const event of events) {
    await harness.deps.triggerBacklog.add(harness.workspaceId, event, harness.clock.now());
    harness.clock.advanceMs(1);
  }
}

const others = (count: number) =>
  Array.from({ length: count }, () => visit(harness.newClient(), 7));

/** A process over connections of its own whose award of so many points waits until it is let go. */
async function processThatWaits(number: number) {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isWaiting = false;
  const { ledger, ...neighbours } = harness.neighbours();
  const { connection } = await harness.anotherInstance();
  const deps = harness.depsOver(connection, {
    ...neighbours,
    ledger: {
      ...ledger,
      EarnPoints: async (request) => {
        if (request.amount === number) {
          isWaiting = true;
          await gate;
        }
        return ledger.EarnPoints(request);
      },
    },
  });
  return { deps, open: () => open(), reached: () => until(() => isWaiting) };
}

describe('events of one client that were put aside', () => {
  test('have their turn in their order, also where others of their page keep the first waiting', async () => {
    const client = harness.newClient();
    await putAside(...others(15), visit(client, 1), visit(client, 2), ...others(8));
    await putAside(visit(client, 3));
    const { backlog } = createTriggers(harness.deps, ignore);
    expect(await workOff(backlog)).toBe(26);
    expect(earned(client)).toEqual([1, 2, 3]);
  });

  test('have their turn in their order, however many replicas work them off', async () => {
    const client = harness.newClient();
    const slot = slotOfClient(client);
    const more = others(40);
    await putAside(visit(client, 1), ...more, visit(client, 2));
    const first = await processThatWaits(1);
    const one = createTriggers(first.deps, ignore, new GivenSlots([slot]));
    const another = await harness.anotherInstance();
    const two = createTriggers(another, ignore, new GivenSlots(allBut(slot)));
    const working = workOff(one.backlog);
    await first.reached();
    await workOff(two.backlog);
    expect(earned(client)).toEqual([]);
    first.open();
    await working;
    expect(earned(client)).toEqual([1, 2]);
    expect(more.map(({ subject }) => earned(subject))).toEqual(more.map(() => [7]));
  });

  test('are not passed by one that comes after a restart, though the process that died had begun with them', async () => {
    const client = harness.newClient();
    const died = createTriggers(harness.deps, ignore);
    await putAside(visit(client, 1));
    expect(await takeUp(died.backlog)).toBeDefined();
    await putAside(visit(client, 2));
    const { take, backlog } = createTriggers(await harness.anotherInstance(), ignore);
    await take(visit(client, 3));
    await workOff(backlog);
    expect(earned(client)).toEqual([1, 2, 3]);
    await take(visit(client, 4));
    expect(earned(client)).toEqual([1, 2, 3, 4]);
  });

  test('keep their order when their slot goes to another replica, which begins when the first has ended what it had begun', async () => {
    const client = harness.newClient();
    const slot = slotOfClient(client);
    await putAside(visit(client, 1), visit(client, 2));
    const first = await processThatWaits(1);
    const [slotsOfOne, slotsOfTwo] = [new GivenSlots(EVERY_SLOT), new GivenSlots([])];
    const one = createTriggers(first.deps, ignore, slotsOfOne);
    let calls = 0;
    const two = createTriggers(await harness.anotherInstance(), () => (calls += 1), slotsOfTwo);
    const working = workOff(one.backlog);
    await first.reached();
    let hasLeft = false;
    const leaving = slotsOfOne.take(slot).then(() => {
      hasLeft = true;
    });
    expect(await workOff(two.backlog)).toBe(0);
    expect(hasLeft).toBe(false);
    first.open();
    await Promise.all([leaving, working]);
    expect(earned(client)).toEqual([1]);
    slotsOfTwo.give(slot);
    expect(calls).toBe(1);
    await two.take(visit(client, 3));
    await workOff(two.backlog);
    expect(earned(client)).toEqual([1, 2, 3]);
  });

  test('wait behind one of them that waits for a service', async () => {
    const client = harness.newClient();
    await putAside(visit(client, 1), visit(client, 2), visit(client, 3));
    const { ledger } = harness.deps;
    let isAway = true;
    const deps: Deps = {
      ...harness.deps,
      ledger: {
        ...ledger,
        EarnPoints: async (request) => {
          const fails = isAway;
          isAway = false;
          if (fails) throw platform.serviceUnavailable({ message: 'ledger is not available' });
          return ledger.EarnPoints(request);
        },
      },
    };
    const { take, backlog } = createTriggers(deps, ignore);
    await workOff(backlog);
    expect(earned(client)).toEqual([]);
    await take(visit(client, 4));
    await workOff(backlog);
    expect(earned(client)).toEqual([]);
    harness.clock.advanceMs(2 * AWAY_MS - 1);
    await workOff(backlog);
    expect(earned(client)).toEqual([1, 2, 3, 4]);
  });

  test('wait for none that is gone, as another process worked it off or its client was erased', async () => {
    const client = harness.newClient();
    const first = visit(client, 1);
    await putAside(first, visit(client, 2), visit(client, 3));
    const { ledger } = harness.deps;
    const EarnPoints: typeof ledger.EarnPoints = async (request) => {
      if (request.amount === 1)
        throw platform.serviceUnavailable({ message: 'ledger is not available' });
      return ledger.EarnPoints(request);
    };
    const { backlog } = createTriggers(
      { ...harness.deps, ledger: { ...ledger, EarnPoints } },
      ignore,
    );
    await workOff(backlog);
    expect(earned(client)).toEqual([]);
    await harness.deps.triggerBacklog.remove(harness.workspaceId, [first]);
    harness.clock.advanceMs(2 * AWAY_MS);
    await workOff(backlog);
    expect(earned(client)).toEqual([2, 3]);
  });

  test('are not begun with a second time where their slot is lost and comes back while they are in hand', async () => {
    const client = harness.newClient();
    const slot = slotOfClient(client);
    await putAside(visit(client, 1), visit(client, 2));
    const process = await processThatWaits(1);
    const slots = new GivenSlots(EVERY_SLOT);
    const { backlog } = createTriggers(process.deps, ignore, slots);
    const working = workOff(backlog);
    await process.reached();
    const leaving = slots.take(slot);
    slots.give(slot);
    expect(await takeUp(backlog)).toBeUndefined();
    process.open();
    await Promise.all([leaving, working]);
    await workOff(backlog);
    expect(earned(client)).toEqual([1, 2]);
  });

  test('are worked off by the replica of the first slot where an earlier version put them aside', async () => {
    const [one, other] = [harness.newClient(), harness.newClient()];
    await putAside(visit(one, 1), visit(other, 1), visit(one, 2), visit(other, 2));
    const rows = harness.store.connection.collection('trigger_backlog');
    await rows.updateMany({}, { $unset: { slot: '' } });
    const instance = await harness.anotherInstance();
    const elsewhere = createTriggers(instance, ignore, new GivenSlots(allBut(0)));
    expect(await workOff(elsewhere.backlog)).toBe(0);
    const { backlog } = createTriggers(harness.deps, ignore, new GivenSlots([0]));
    expect(await workOff(backlog)).toBe(4);
    expect([earned(one), earned(other)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});

test('slots that came are looked through once, not for each event', async () => {
  const { triggerBacklog } = harness.deps;
  const slots = new GivenSlots([1, 2]);
  const asked: (readonly number[])[] = [];
  const deps: Deps = {
    ...harness.deps,
    triggerBacklog: {
      ...triggerBacklog,
      waitingIn: (fresh) => {
        asked.push(fresh);
        return triggerBacklog.waitingIn(fresh);
      },
    },
  };
  const { take } = createTriggers(deps, ignore, slots);
  const arrive = () =>
    Promise.all(Array.from({ length: 4 }, () => take(visit(harness.newClient(), 1))));
  await arrive();
  await arrive();
  slots.give(3);
  await arrive();
  expect(asked).toEqual([[1, 2], [3]]);
});
