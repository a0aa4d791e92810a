import { createEvent, type EventOf, type Once } from '@laurel/events';
import { currentContext, newId } from '@laurel/lifecycle';
import { type TestStore, testClock, testStore } from '@laurel/testing';
import type { Job } from '@laurel/work';
import type { ConsumerSpec } from './consumer-spec';
import { createRemovals, removedWorkspaces } from './removals';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let store: TestStore;
let clock: ReturnType<typeof testClock>;
beforeEach(async () => {
  store = await testStore([removedWorkspaces]);
  clock = testClock();
});
afterEach(() => store.drop());

const things = () => store.connection.collection<{ _id: string; workspace_id: string }>('things');
const left = (workspaceId: string) => things().countDocuments({ workspace_id: workspaceId });
const bring = (workspaceId: string) =>
  things().insertOne({ _id: newId(), workspace_id: workspaceId });
const remembered = () => store.connection.collection('removed_workspaces').countDocuments();

type Deletion = EventOf<'identity.workspace_deleted'>;
const deletionOf = (workspaceId: string): Deletion =>
  createEvent('identity.workspace_deleted', {
    workspaceId,
    subject: workspaceId,
    data: { workspace_id: workspaceId },
  });
const alreadyHandled: Once = async () => undefined;

/** As a service removes: under its inbox, which lets an event in once. */
const removing = (): ConsumerSpec => ({
  queue: 'test.workspaces',
  handlers: {
    'identity.workspace_deleted': async ({ workspaceid }, once) => {
      await once((session) => things().deleteMany({ workspace_id: workspaceid }, { session }));
    },
  },
});

function removalsOf(...specs: ConsumerSpec[]) {
  const { consumers, job } = createRemovals(store.connection, specs, clock);
  return {
    consumers,
    tell: async (event: Deletion, once = alreadyHandled) => {
      for (const { handlers } of consumers)
        await handlers?.['identity.workspace_deleted']?.(event, once);
    },
    work: async () => {
      const { work } = job as Extract<Job, { every: number }>;
      while ((await work())?.more);
    },
  };
}

test('what comes back after a removal is removed as well, until nothing can come any more', async () => {
  const [workspaceId, other] = [newId(), newId()];
  const { tell, work } = removalsOf(removing());
  await bring(other);
  await tell(deletionOf(workspaceId));
  // Retries, what waited for a newer release, what a replay brings.
  for (const afterMs of [HOUR_MS, 25 * HOUR_MS, 8 * DAY_MS - 26 * HOUR_MS]) {
    await bring(workspaceId);
    clock.advanceMs(afterMs - 1);
    await work();
    expect(await left(workspaceId)).toBe(1);
    clock.advanceMs(1);
    await work();
    expect(await left(workspaceId)).toBe(0);
  }
  expect(await remembered()).toBe(0);
  expect(await left(other)).toBe(1);
});

test('a removal that is announced again, as by a replay, begins anew', async () => {
  const workspaceId = newId();
  const { tell, work } = removalsOf(removing());
  const event = deletionOf(workspaceId);
  await tell(event);
  clock.advanceMs(8 * DAY_MS - HOUR_MS);
  for (let time = 0; time < 3; time += 1) await work();
  await tell(event);
  clock.advanceMs(2 * HOUR_MS);
  await bring(workspaceId);
  await work();
  expect(await left(workspaceId)).toBe(0);
  expect(await remembered()).toBe(1);
});

test('a removal that fails is tried again, and those of other workspaces do not wait for it', async () => {
  const [broken, sound] = [newId(), newId()];
  let isBroken = true;
  const { tell, work } = removalsOf(removing(), {
    queue: 'test.failing',
    handlers: {
      'identity.workspace_deleted': async ({ workspaceid }, once) => {
        await once(async () => {
          if (workspaceid === broken && isBroken) throw new Error('broken');
        });
      },
    },
  });
  await tell(deletionOf(broken));
  clock.advanceMs(1);
  await tell(deletionOf(sound));
  clock.advanceMs(HOUR_MS);
  await bring(sound);
  await expect(work()).rejects.toThrow('broken');
  clock.advanceMs(600_000);
  await expect(work()).rejects.toThrow('broken');
  expect(await left(sound)).toBe(0);
  isBroken = false;
  clock.advanceMs(600_000);
  await bring(broken);
  await work();
  expect(await left(broken)).toBe(0);
});

test('what cannot be removed the first time is not taken for removed', async () => {
  const { tell } = removalsOf(removing());
  const failing: Once = () => Promise.reject(new Error('the store is away'));
  await expect(tell(deletionOf(newId()), failing)).rejects.toThrow('away');
  expect(await remembered()).toBe(0);
});

test('it is removed again in the name of the event of the deletion', async () => {
  const event = deletionOf(newId());
  const causes: (string | null)[] = [];
  const { tell, work } = removalsOf({
    queue: 'test.causes',
    handlers: {
      'identity.workspace_deleted': async () => void causes.push(currentContext().causationId),
    },
  });
  await tell(event);
  clock.advanceMs(HOUR_MS);
  await work();
  expect(causes.at(-1)).toBe(event.id);
});

test('queues that hear of everything, or of something else, stay as they are', async () => {
  const others: ConsumerSpec[] = [
    { queue: 'test.everything', batch: { types: ['#'], handle: async () => undefined } },
    { queue: 'test.clients', handlers: { 'clients.created': async () => undefined } },
  ];
  const { consumers, work } = removalsOf(...others);
  expect(consumers).toEqual(others);
  await work();
  const types = ['identity.workspace_deleted'];
  const batch = { types, handle: async () => undefined };
  expect(() => removalsOf({ queue: 'test.batches', batch })).toThrow('test.batches');
});
