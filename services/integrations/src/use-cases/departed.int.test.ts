import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { AttemptRow } from '../store/attempts';
import { Workbench } from '../testing/workbench';
import { asOfNow, followDeparted } from './delivery/attempts-of-departed';
import { fanOutEvents } from './delivery/fan-out-events';
import { appendToFeeds } from './feed/append-to-feeds';
import { readFeed } from './feed/read-feed';

type Parts = Workbench['parts'];
type Departs = (client: string, other: string) => Promise<void>;

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
  // Somebody listens, but not for what the tests tell: nothing is sent.
  await bench.register('http://127.0.0.1:9/', ['client.created']);
  await readFeed(bench.parts, { workspace_id: bench.workspaceId, wait_ms: 0 });
});
afterAll(() => bench.close());

const attemptOf = (subject: string): AttemptRow => ({
  _id: newId(),
  workspace_id: bench.workspaceId,
  webhook_id: newId(),
  delivery_id: newId(),
  subject,
  at: new Date(),
  duration_ms: 3,
  response_status: 200,
  response: 'Hello Ada',
  error: null,
  expires_at: new Date(Date.now() + 86_400_000),
});

async function record(parts: Parts, client: string): Promise<void> {
  const written = await asOfNow(parts, [attemptOf(client), attemptOf(client)]);
  await parts.attempts.insertMissing(written.map(({ row }) => row));
  await followDeparted(parts, written);
}

async function fanOut(parts: Parts, client: string): Promise<void> {
  const events = bench.customEvents(2, client);
  await fanOutEvents(parts, events, (effect) =>
    unitOfWork(bench.store.connection, (session) => effect(session, events)),
  );
}

const append = (parts: Parts, client: string) =>
  appendToFeeds(parts, bench.customEvents(2, client));

const writers = [
  ['events of webhooks', 'webhook_events', fanOut],
  ['entries of feeds', 'event_feed_entries', append],
  ['attempts of deliveries', 'webhook_attempts', record],
] as const;

/** What is kept about two clients: under which name, and whether it says more than that there was somebody. */
async function kept(collection: string, [client, other]: readonly [string, string]) {
  const rows = await bench.store.connection
    .collection(collection)
    .find({ subject: { $in: [client, other] } })
    .toArray();
  return rows.map(({ subject, body, response }) => ({
    whose: subject === client ? 'client' : 'other',
    tells: /"number":\d|Ada/.test(body ?? response ?? ''),
  }));
}

const merges: Departs = (client, other) => bench.merge(client, other);
const isErased: Departs = (client) => bench.erase(client);
const mergesIntoErased: Departs = async (client, other) => {
  await bench.erase(other);
  await bench.merge(client, other);
};
const ways = [
  ['merged', merges, { whose: 'other', tells: true }],
  ['erased', isErased, { whose: 'client', tells: false }],
  ['merged into one who was erased', mergesIntoErased, { whose: 'other', tells: false }],
] as const;

/** A replica in which something happens once between who looks up a client and who uses what was found. */
function interrupted(happens: () => Promise<void>): Parts {
  const { departures } = bench.parts;
  let isOver = false;
  const late: typeof departures = {
    ...departures,
    currentOf: async (...args) => {
      const before = await departures.currentOf(...args);
      if (isOver) return before;
      isOver = true;
      await happens();
      return before;
    },
  };
  return { ...bench.parts, departures: late };
}

/** A replica that counts how often it moves or erases what it keeps of somebody. */
function counting(): { parts: Parts; count: () => number } {
  let count = 0;
  const collections = bench.parts.collections.map((each) => ({
    ...each,
    mergePerson: (...args: Parameters<typeof each.mergePerson>) => {
      count += 1;
      return each.mergePerson(...args);
    },
    erasePerson: (...args: Parameters<typeof each.erasePerson>) => {
      count += 1;
      return each.erasePerson(...args);
    },
  }));
  return { parts: { ...bench.parts, collections }, count: () => count };
}

describe.each(writers)('%s', (_, collection, write) => {
  it.each(ways)(
    'are written at once as they would be after their client was %s',
    async (_name, departs, after) => {
      const both = [newId(), newId()] as const;
      await departs(...both);
      const { parts, count } = counting();
      await write(parts, both[0]);
      expect(await kept(collection, both)).toEqual([after, after]);
      expect(count()).toBe(0);
    },
  );

  it.each(ways)(
    'follow a client who is %s while they are written',
    async (_name, departs, after) => {
      const both = [newId(), newId()] as const;
      await write(
        interrupted(() => departs(...both)),
        both[0],
      );
      expect(await kept(collection, both)).toEqual([after, after]);
    },
  );
});

it('what a process left behind that died before it followed a client goes along with the next attempt', async () => {
  const { attempts, departures } = bench.parts;
  const [client, between, target] = [newId(), newId(), newId()];
  await attempts.insertMissing([attemptOf(client), attemptOf(between)]);
  const { workspaceId } = bench;
  await departures.noteMerge({ workspaceId, source: client, target: between });
  await departures.noteMerge({ workspaceId, source: between, target });
  await record(bench.parts, client);
  const told = { whose: 'other', tells: true };
  expect(await kept('webhook_attempts', [client, target])).toEqual([told, told, told, told]);
  await attempts.insertMissing([attemptOf(target)]);
  await departures.noteErasure({ workspaceId, clientId: target, ending: 'deleted' });
  await record(bench.parts, client);
  const rows = await kept('webhook_attempts', [client, target]);
  expect(rows).toHaveLength(7);
  expect(rows.filter(({ tells }) => tells)).toEqual([]);
});
