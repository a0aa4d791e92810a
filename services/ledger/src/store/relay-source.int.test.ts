import { EVERY_SLOT, type OutboxSource, slotOf } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import { GivenSlots, until } from '@laurel/testing';
import { asCaller, logOf, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { createRelaySource } from './relay-source';

const LEASE_MS = 20_000;

let ledger: TestLedger;
let other: TestLedger;
let workspace_id: string;
beforeEach(async () => {
  ledger = await testLedger();
  other = await ledger.replica();
  workspace_id = await testWorkspace(ledger);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await other.deps.log.drained();
  await ledger.drop();
});

const earnOn = (on: TestLedger, client_id: string, amount = 1) =>
  asCaller(() => on.rpc.EarnPoints({ workspace_id, client_id, amount }));
const slotOfClient = (subject: string) => slotOf({ workspaceid: workspace_id, subject });
/** A source as a process has it whose relay listens. */
function sourceOn({ deps }: Pick<TestLedger, 'deps'>, slots?: GivenSlots): OutboxSource {
  const source = createRelaySource({ ...deps, ...(slots && { slots }) });
  source.onCommit!(() => undefined);
  return source;
}
async function claimBy(source: OutboxSource, limit = 10) {
  const claimed = await source.claim(limit, LEASE_MS);
  if (claimed === 'not ours') throw new Error('another replica relays');
  return claimed;
}
const sequencesOf = (claimed: Awaited<ReturnType<typeof claimBy>>) =>
  claimed.map(({ event }) => (event.data as { entry: { sequence: number } }).entry.sequence);
const keysOf = (claimed: Awaited<ReturnType<typeof claimBy>>) => claimed.map(({ key }) => key);

test('a replica relays the entries of its slots, whichever replica wrote them, in the order of each wallet', async () => {
  const client = newId();
  const slot = slotOfClient(client);
  const holder = sourceOn(ledger, new GivenSlots([slot]));
  const neighbour = sourceOn(other, new GivenSlots(EVERY_SLOT.filter((one) => one !== slot)));
  await earnOn(other, client);
  await earnOn(ledger, client);
  await earnOn(other, client);
  expect(await neighbour.claim(10, LEASE_MS)).toEqual([]);
  expect([neighbour.takeForOthers!(), neighbour.takeForOthers!()]).toEqual([true, false]);
  const claimed = await claimBy(holder);
  expect(sequencesOf(claimed)).toEqual([1, 2, 3]);
  expect(claimed.map(({ event }) => [event.type, event.subject])).toEqual(
    claimed.map(() => ['loyalty.points_earned', client]),
  );
  await holder.markPublished(keysOf(claimed));
  expect(await holder.pendingCount()).toBe(0);
});

test('entries of its slots are found behind pages of those of others', async () => {
  const clients = Array.from({ length: 12 }, () => newId());
  for (const client of clients) await earnOn(ledger, client);
  const last = clients.at(-1)!;
  const source = sourceOn(other, new GivenSlots([slotOfClient(last)]));
  const own = clients.filter((client) => slotOfClient(client) === slotOfClient(last));
  const claimed = await claimBy(source, own.length);
  expect(claimed.map(({ event }) => event.subject)).toEqual(own);
});

test('a backlog of another slot is not read through at each look, and entries of its own slots are found all the same', async () => {
  const client = newId();
  const slot = slotOfClient(client);
  const theirs = Array.from({ length: 12 }, () => newId()).filter(
    (one) => slotOfClient(one) !== slot,
  );
  for (const one of theirs) await earnOn(ledger, one);
  const source = sourceOn(other, new GivenSlots([slot]));
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
  await source.oldestPendingAt();
  const { collection } = other.deps.entries;
  const asked = jest.spyOn(collection, 'find');
  const readThrough = async () => {
    expect(await claimBy(source, 100)).toEqual([]);
    return collection.countDocuments(asked.mock.calls.at(-1)![0]!);
  };
  expect([await readThrough(), await readThrough()]).toEqual([theirs.length, 0]);
  await earnOn(ledger, client);
  expect((await claimBy(source)).map(({ event }) => event.subject)).toEqual([client]);
});

test('what was claimed and came to no end is claimed again at once, also where something old makes looks pass what they have seen', async () => {
  const client = newId();
  await earnOn(ledger, client);
  const source = sourceOn(other, new GivenSlots([slotOfClient(client)]));
  const { now } = Date;
  // Ids never go back: those of the test before may be ten minutes ahead.
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 1_800_000);
  await source.oldestPendingAt();
  const claimed = await claimBy(source);
  expect(claimed.map(({ event }) => event.subject)).toEqual([client]);
  expect(keysOf(await claimBy(source))).toEqual(keysOf(claimed));
  jest.spyOn(other.deps.entries, 'applyMarks').mockRejectedValueOnce(new Error('away'));
  await expect(source.markPublished(keysOf(claimed))).rejects.toThrow('away');
  expect(keysOf(await claimBy(source))).toEqual(keysOf(claimed));
  await source.markPublished(keysOf(claimed));
  expect(await claimBy(source)).toEqual([]);
});

test('who holds no slot relays nothing', async () => {
  await earnOn(ledger, newId());
  expect(await sourceOn(ledger, new GivenSlots([])).claim(10, LEASE_MS)).toBe('not ours');
});

test('what another replica wrote first leaves before what the holder has in memory', async () => {
  const client = newId();
  const slots = new GivenSlots(EVERY_SLOT);
  const source = sourceOn(ledger, slots);
  await earnOn(ledger, client);
  await source.markPublished(keysOf(await claimBy(source)));
  // It has asked the store a moment ago, and has something of its own in memory from now on.
  source.heardOthers!();
  await earnOn(other, client);
  await earnOn(ledger, client);
  expect(sequencesOf(await claimBy(source))).toEqual([2, 3]);
});

/** What the store says to a write whose reply gets lost on the way. */
const LOST = new Error('the connection was lost');

test('an entry whose reply got lost leaves before what its client did next, also in another wallet', async () => {
  await ledger.rpc.CreateWalletType({ workspace_id, code: 'stars', name: 'Stars' });
  const client_id = newId();
  const source = sourceOn(ledger);
  // It has asked the store a moment ago, and would not for a second.
  expect(await claimBy(source)).toEqual([]);
  const { collection } = ledger.deps.entries;
  const insertMany = collection.insertMany.bind(collection);
  jest.spyOn(collection, 'insertMany').mockImplementationOnce(async (...asked) => {
    await insertMany(...asked);
    throw LOST;
  });
  const unheard = await earnOn(ledger, client_id);
  const next = await earnOn(ledger, client_id);
  const star = { workspace_id, client_id, amount: 1, wallet_type_code: 'stars' };
  const other = await asCaller(() => ledger.rpc.EarnPoints(star));
  const ids = [unheard, next, other].map(({ entry }) => entry!.id);
  expect(keysOf(await claimBy(source))).toEqual(ids);
});

test('an entry that the store lets be seen only after it was given up leaves before what its client did next', async () => {
  const client_id = newId();
  const source = sourceOn(ledger);
  const { collection } = ledger.deps.entries;
  const insertMany = collection.insertMany.bind(collection);
  const deadlineAt = Date.now() + 2_000;
  let arrives = async (): Promise<unknown> => undefined;
  jest.spyOn(collection, 'insertMany').mockImplementationOnce(async (...asked) => {
    arrives = () => insertMany(...asked);
    await until(async () => Date.now() > deadlineAt);
    throw LOST;
  });
  const earn = { workspace_id, client_id, amount: 1 };
  const unheard = runInContext(systemContext({ deadlineAt }), () => ledger.rpc.EarnPoints(earn));
  await expect(unheard).rejects.toMatchObject({ httpStatus: 503 });
  expect(await claimBy(source)).toEqual([]);
  await arrives();
  await earnOn(ledger, client_id);
  expect(sequencesOf(await claimBy(source))).toEqual([1, 2]);
});

test('a transfer whose reply got lost leaves before what its clients did next', async () => {
  const [from_client_id, to_client_id] = [newId(), newId()];
  const source = sourceOn(ledger);
  await earnOn(ledger, from_client_id, 10);
  await source.markPublished(keysOf(await claimBy(source)));
  expect(await claimBy(source)).toEqual([]);
  const { collection } = ledger.deps.entries;
  const insertMany = collection.insertMany.bind(collection);
  jest.spyOn(collection, 'insertMany').mockImplementationOnce(async (...asked) => {
    const [{ session }] = asked.slice(1) as [{ session: Session }];
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      await commit();
      throw LOST;
    };
    return insertMany(...asked);
  });
  const transfer = { workspace_id, from_client_id, to_client_id, amount: 4 };
  await asCaller(() => ledger.rpc.TransferPoints(transfer));
  await earnOn(ledger, to_client_id);
  const claimed = await claimBy(source);
  const ofTarget = claimed.filter(({ event }) => event.subject === to_client_id);
  expect(claimed).toHaveLength(3);
  expect(sequencesOf(ofTarget)).toEqual([1, 2]);
});

test('what was written without a reply is said to be for others, who may be the ones to relay it', async () => {
  const source = sourceOn(ledger, new GivenSlots([]));
  const { collection } = ledger.deps.entries;
  const insertMany = collection.insertMany.bind(collection);
  jest.spyOn(collection, 'insertMany').mockImplementationOnce(async (...asked) => {
    await insertMany(...asked);
    throw LOST;
  });
  await earnOn(ledger, newId());
  expect(source.takeForOthers!()).toBe(true);
});

test('a slot that comes back brings what was written meanwhile, before what is in memory', async () => {
  const client = newId();
  const slots = new GivenSlots(EVERY_SLOT);
  const source = sourceOn(ledger, slots);
  await earnOn(ledger, newId());
  await source.markPublished(keysOf(await claimBy(source)));
  await slots.take(slotOfClient(client));
  // It looks at the store, and need not look again for a while.
  expect(await source.claim(10, LEASE_MS)).toEqual([]);
  await earnOn(other, client);
  slots.give(slotOfClient(client));
  await earnOn(ledger, client);
  expect(sequencesOf(await claimBy(source))).toEqual([1, 2]);
});

/** A source that calls `beforeLook` before each look at the store. */
function watchedSource(slots: GivenSlots, beforeLook: (look: number) => void): OutboxSource {
  const { collection, ...entries } = ledger.deps.entries;
  let looks = 0;
  const watched = new Proxy(collection, {
    get(target, name) {
      if (name !== 'find') return Reflect.get(target, name);
      looks += 1;
      beforeLook(looks);
      return target.find.bind(target);
    },
  });
  const deps = { ...ledger.deps, entries: { ...entries, collection: watched } };
  return sourceOn({ deps }, slots);
}

test('a slot that comes between two pages of a look waits for the next one: its first entries were passed by', async () => {
  const client = newId();
  const slots = new GivenSlots(EVERY_SLOT.filter((slot) => slot !== slotOfClient(client)));
  await earnOn(other, client);
  await earnOn(other, client);
  const source = watchedSource(slots, (look) => {
    if (look === 2) slots.give(slotOfClient(client));
  });
  expect(await claimBy(source, 1)).toEqual([]);
  expect(sequencesOf(await claimBy(source, 1))).toEqual([1]);
});

test('a slot that comes during a look is looked at before what is in memory leaves', async () => {
  const client = newId();
  const slots = new GivenSlots(EVERY_SLOT.filter((slot) => slot !== slotOfClient(client)));
  await earnOn(other, client);
  const source = watchedSource(slots, (look) => {
    if (look === 1) void Promise.resolve().then(() => slots.give(slotOfClient(client)));
  });
  expect(await claimBy(source)).toEqual([]);
  await earnOn(ledger, client);
  expect(sequencesOf(await claimBy(source))).toEqual([1, 2]);
});

test('a slot is let go only when what was claimed of it has its outcome', async () => {
  const client = newId();
  const slots = new GivenSlots(EVERY_SLOT);
  const source = sourceOn(ledger, slots);
  await earnOn(ledger, client);
  const claimed = await claimBy(source);
  const steps: string[] = [];
  const letGo = slots.take(slotOfClient(client)).then(() => steps.push('let go'));
  await source.pendingCount();
  steps.push('published');
  await source.markPublished(keysOf(claimed));
  await letGo;
  expect(steps).toEqual(['published', 'let go']);
});

test('a slot that is let go during a claim takes its entries along', async () => {
  const client = newId();
  await earnOn(other, client);
  const slots = new GivenSlots(EVERY_SLOT);
  const source = sourceOn(ledger, slots);
  const claiming = source.claim(10, LEASE_MS);
  await slots.take(slotOfClient(client));
  expect(await claiming).toEqual([]);
  slots.give(slotOfClient(client));
  expect(sequencesOf(await claimBy(source))).toEqual([1]);
});

test('as long as a replica of the release before relays, which knows no slots, others leave all to it', async () => {
  const client = newId();
  const leases = ledger.connection.collection<{ _id: string; until: Date }>('leases');
  const until = new Date(Date.now() + 600_000);
  await leases.updateOne({ _id: 'relay' }, { $set: { until } }, { upsert: true });
  await earnOn(ledger, client);
  expect(await sourceOn(ledger, new GivenSlots(EVERY_SLOT)).claim(10, LEASE_MS)).toBe('not ours');
  await leases.updateOne({ _id: 'relay' }, { $set: { until: new Date(0) } });
  expect(sequencesOf(await claimBy(sourceOn(ledger, new GivenSlots(EVERY_SLOT))))).toEqual([1]);
});

test('what cannot be routed stays back for a while and is claimed again', async () => {
  const source = sourceOn(ledger);
  await earnOn(ledger, newId());
  const [claimed] = await claimBy(source);
  await source.release([claimed!.key], 60_000);
  expect(await source.claim(10, LEASE_MS)).toEqual([]);
  await source.release([claimed!.key], 0);
  expect(await source.pendingCount()).toBe(1);
});

test('three replicas relay all, in the order of each wallet, though one stands still with a claim and goes on when its slots are others’', async () => {
  const replicas = [ledger, other, await ledger.replica()];
  const shares = replicas.map(
    (_, at) => new GivenSlots(EVERY_SLOT.filter((slot) => slot % replicas.length === at)),
  );
  const sources = replicas.map((replica, at) => sourceOn(replica, shares[at]));
  const clients = Array.from({ length: 24 }, () => newId());
  const arrived = new Map<string, number>();
  const outOfOrder: string[] = [];
  /** As receivers do, which know an event that comes again. */
  const publish = (claimed: Awaited<ReturnType<typeof claimBy>>) => {
    for (const [at, sequence] of sequencesOf(claimed).entries()) {
      const { subject } = claimed[at]!.event;
      const last = arrived.get(subject) ?? 0;
      if (sequence > last + 1) outOfOrder.push(`${subject} ${sequence} after ${last}`);
      arrived.set(subject, Math.max(last, sequence));
    }
  };
  const relay = async (source: OutboxSource) => {
    for (;;) {
      const claimed = await claimBy(source, 7);
      if (claimed.length === 0) return;
      publish(claimed);
      await source.markPublished(keysOf(claimed));
    }
  };
  const write = (times: number) =>
    Promise.all(
      clients.map(async (client, at) => {
        for (let time = 0; time < times; time += 1)
          await earnOn(replicas[(at + time) % replicas.length]!, client);
      }),
    );

  await write(2);
  const frozen = await claimBy(sources[0]!, 7);
  expect(frozen).not.toEqual([]);
  // The broker hears nothing of it: its slots go to the others without its doing.
  shares[1]!.give(...shares[0]!.held());
  await write(2);
  await Promise.all([relay(sources[1]!), relay(sources[2]!)]);
  publish(frozen);
  await sources[0]!.markPublished(keysOf(frozen));
  expect(outOfOrder).toEqual([]);
  expect(clients.map((client) => arrived.get(client))).toEqual(clients.map(() => 4));
  expect(await sources[2]!.pendingCount()).toBe(0);
  const [wallet] = (await ledger.rpc.GetBalances({ workspace_id, client_id: clients[0]! })).wallets;
  expect(await logOf(ledger, workspace_id, wallet!.wallet!.id)).toHaveLength(4);
});
