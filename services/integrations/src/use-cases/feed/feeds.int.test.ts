import { newId } from '@laurel/lifecycle';
import { removeWorkspace } from '@laurel/mongo';
import { until } from '@laurel/testing';
import { customEvent, Workbench } from '../../testing/workbench';
import { appendToFeeds } from './append-to-feeds';
import { readFeed } from './read-feed';

let bench: Workbench;
beforeEach(async () => {
  bench = await Workbench.open();
});
afterEach(() => bench.close());

const read = (cursor?: string, more: { wait_ms?: number; event_types?: string[] } = {}) =>
  readFeed(bench.parts, {
    workspace_id: bench.workspaceId,
    ...(cursor === undefined ? {} : { cursor }),
    wait_ms: 0,
    ...more,
  });
const idsOf = (page: { events: { body: string }[] }) =>
  page.events.map(({ body }) => JSON.parse(body).id as string);

/** Reads on until so many events have come, as a follower does. */
async function follow(cursor: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let at = cursor;
  await until(async () => {
    const page = await read(at);
    ids.push(...idsOf(page));
    at = page.cursor;
    return ids.length >= count;
  });
  return ids;
}

it('tells every event once and in one order, however many processes add how often', async () => {
  const { cursor } = await read();
  const replicas = [bench.parts, bench.startReplica(), bench.startReplica()];
  const events = bench.customEvents(120);
  const batches = [
    ...replicas.flatMap((replica, index) =>
      [0, 1, 2, 3].map(
        (part) => [replica, events.slice(part * 30, part * 30 + 31 + index)] as const,
      ),
    ),
  ];
  const following = follow(cursor, events.length);
  await Promise.all(batches.map(([replica, batch]) => appendToFeeds(replica, batch)));
  const live = await following;
  expect(new Set(live).size).toBe(120);
  expect(live).toHaveLength(120);
  expect(await follow(cursor, 120)).toEqual(live);
});

it('writes what comes at once to one process in turn: none of it in vain', async () => {
  const { cursor } = await read();
  const append = jest.spyOn(bench.parts.feedEntries, 'append');
  const events = bench.customEvents(40);
  const batches = [0, 10, 20, 30].map((from) => events.slice(from, from + 10));
  await Promise.all(batches.map((batch) => appendToFeeds(bench.parts, batch)));
  const written = append.mock.results.map(({ value }) => value);
  expect(await Promise.all(written)).toEqual(batches.map(() => true));
  expect(new Set(await follow(cursor, 40))).toEqual(new Set(events.map(({ id }) => id)));
});

it('goes on behind a cursor, and misses and repeats nothing', async () => {
  const { cursor } = await read();
  const events = bench.customEvents(5);
  await appendToFeeds(bench.parts, events.slice(0, 3));
  const page = await read(cursor);
  expect(idsOf(page)).toEqual(events.slice(0, 3).map(({ id }) => id));
  await appendToFeeds(bench.parts, events);
  expect(idsOf(await read(page.events[1]!.cursor))).toEqual(events.slice(2).map(({ id }) => id));
  expect(idsOf(await read(page.cursor))).toEqual(events.slice(3).map(({ id }) => id));
});

it('tells only what is asked for, and goes past the rest', async () => {
  const { cursor } = await read();
  await appendToFeeds(bench.parts, bench.customEvents(2));
  const page = await read(cursor, { event_types: ['client.created'] });
  expect(page.events).toEqual([]);
  expect(page.cursor).toBe((await read(cursor)).cursor);
  await expect(read(cursor, { event_types: ['no.such'] })).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
  });
});

it('writes nothing for workspaces without a follower, and nothing of another workspace', async () => {
  const stranger = newId();
  await appendToFeeds(bench.parts, bench.customEvents(3, newId(), stranger));
  expect(await bench.store.connection.collection('event_feed_entries').countDocuments()).toBe(0);
  const { cursor } = await read();
  await readFeed(bench.parts, { workspace_id: stranger, wait_ms: 0 });
  const [event] = bench.customEvents(1, newId(), stranger);
  await appendToFeeds(bench.parts, [event!]);
  expect(idsOf(await read(cursor))).toEqual([]);
});

it.each([0, 1])('who waits hears at once what replica %s has added', async (writer) => {
  const replicas = [bench.parts, bench.startReplica()];
  // On a machine that stands still for as long as one may wait, the answer is empty.
  await until(async () => {
    const { cursor } = await read();
    const waiting = read(cursor, { wait_ms: 5_000 });
    const [event] = bench.customEvents(1);
    await appendToFeeds(replicas[writer]!, [event!]);
    return idsOf(await waiting).join() === event!.id;
  });
});

it('refuses a cursor behind which not everything is kept', async () => {
  const { cursor } = await read();
  await appendToFeeds(bench.parts, bench.customEvents(3));
  const entries = bench.store.connection.collection('event_feed_entries');
  await entries.deleteMany({ sequence: { $lte: 2 } });
  const refusal = {
    code: 'INVALID_PAYLOAD',
    problems: [{ extensions: { reason: 'cursor_expired' } }],
  };
  await expect(read(cursor)).rejects.toMatchObject(refusal);
  const feeds = bench.store.connection.collection<{ _id: string }>('event_feeds');
  const { cursor: late } = await read();
  // It was not read for so long that the feed has ended; it begins anew.
  await feeds.updateOne({ _id: bench.workspaceId }, { $set: { read_until: new Date(0) } });
  await expect(read(late)).rejects.toMatchObject(refusal);
  await expect(read('nonsense')).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
});

it('gives no entry the number of another, even where a writer dies before it can say what it wrote', async () => {
  const { cursor } = await read();
  const [one, other] = bench.customEvents(2);
  await appendToFeeds(bench.parts, [one!]);
  const feeds = bench.store.connection.collection<{ _id: string }>('event_feeds');
  await feeds.updateOne({ _id: bench.workspaceId }, { $set: { sequence: 0 } });
  await appendToFeeds(bench.parts, [other!]);
  expect(idsOf(await read(cursor))).toEqual([one!.id, other!.id]);
});

it('lets go of a person who was erased, and followers go on past them', async () => {
  const { workspaceId } = bench;
  const { cursor } = await read();
  const clientId = newId();
  const past = new Date(Date.now() - 1_000);
  const before = customEvent({ workspaceId, clientId, time: past });
  const late = customEvent({ workspaceId, clientId, time: past });
  const [other] = bench.customEvents(1);
  await appendToFeeds(bench.parts, [before]);
  await bench.erase(clientId, workspaceId);
  await appendToFeeds(bench.parts, [late, other!]);
  expect(idsOf(await read(cursor))).toEqual([other!.id]);
  const rows = await bench.store.connection
    .collection('event_feed_entries')
    .find({ subject: clientId })
    .toArray();
  expect(rows.map(({ body }) => body)).toEqual([null, null]);
});

it('lets go of a client who was merged into one that is erased', async () => {
  const { cursor } = await read();
  const [source, target] = [newId(), newId()];
  await appendToFeeds(bench.parts, bench.customEvents(1, source));
  await bench.merge(source, target);
  await appendToFeeds(bench.parts, bench.customEvents(1, source));
  expect((await read(cursor)).events).toHaveLength(2);
  await bench.erase(target);
  const [other] = bench.customEvents(1);
  await appendToFeeds(bench.parts, [...bench.customEvents(1, source), other!]);
  expect(idsOf(await read(cursor))).toEqual([other!.id]);
});

it('leaves nothing behind of a workspace that is removed', async () => {
  await read();
  await appendToFeeds(bench.parts, bench.customEvents(2));
  await removeWorkspace(bench.parts, bench.workspaceId);
  for (const name of ['event_feeds', 'event_feed_entries'])
    expect(await bench.store.connection.collection(name).countDocuments()).toBe(0);
});
