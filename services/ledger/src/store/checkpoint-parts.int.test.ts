import { newId } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import { type TestStore, takeUp, testStore } from '@laurel/testing';
import { type CheckpointOf, checkpointParts, createCheckpointPartStore } from './checkpoint-parts';

let store: TestStore;
beforeEach(async () => {
  store = await testStore([checkpointParts]);
});
afterEach(() => store.drop());

const now = new Date('2026-03-01T12:02:00.000Z');
const [eleven, noon] = ['11', '12'].map((hour) => new Date(`2026-03-01T${hour}:00:00.000Z`));
/** Leaves a checkpoint in three parts and keeps something of each, the last one first. */
async function keepAll(of: CheckpointOf, leaves: string): Promise<void> {
  const parts = createCheckpointPartStore(store.connection);
  await parts.leave({ ...of, now }, ['b', 'd']);
  const taken = [];
  for (let place = 0; place < 3; place += 1) {
    const claimed = await takeUp({ due: parts.due, leaseMs: 60_000, clock: { now: () => now } });
    taken.unshift(claimed!.row);
  }
  for (const part of taken) {
    expect(await parts.keep(part, Buffer.from(`${leaves}${part.range.after}`))).toBe(true);
    await parts.due.finish(part);
  }
}
async function leavesOf(of: CheckpointOf, connection: Connection = store.connection) {
  const read: string[] = [];
  for await (const leaves of createCheckpointPartStore(connection).leavesOf(of))
    read.push(leaves.toString());
  return read;
}

test('parts of another workspace and of another hour are neither read nor dropped with those of a checkpoint', async () => {
  const parts = createCheckpointPartStore(store.connection);
  const [mine, theirs] = [newId(), newId()];
  await keepAll({ workspaceId: theirs, at: eleven! }, 'their eleven ');
  await keepAll({ workspaceId: mine, at: eleven! }, 'my eleven ');
  const ofEleven = { workspaceId: mine, at: eleven! };
  expect(await leavesOf(ofEleven)).toEqual(['my eleven ', 'my eleven b', 'my eleven d']);
  await keepAll({ workspaceId: mine, at: noon! }, 'my noon ');
  expect(await leavesOf(ofEleven)).toEqual([]);
  await parts.end(ofEleven);
  const ofNoon = { workspaceId: mine, at: noon! };
  expect(await leavesOf(ofNoon)).toEqual(['my noon ', 'my noon b', 'my noon d']);
  await parts.end(ofNoon);
  expect(await leavesOf(ofNoon)).toEqual([]);
  expect(await leavesOf({ workspaceId: theirs, at: eleven! })).toHaveLength(3);
});

test('leaves are asked for by a range of what they are sorted by, so that the store reads them in order and sorts none', async () => {
  const of = { workspaceId: newId(), at: noon! };
  await keepAll(of, '');
  const asked: object[] = [];
  const watched = watching(store.connection, asked);
  expect(await leavesOf(of, watched)).toEqual(['', 'b', 'd']);
  const name = `${of.workspaceId}:${noon!.getTime()}`;
  expect(asked).toEqual([
    {
      workspace_id: of.workspaceId,
      _id: { $gt: `${name}:`, $lt: `${name};` },
      leaves: { $exists: true },
    },
  ]);
});

/** The connection, noting by which conditions rows are asked for. */
function watching(connection: Connection, asked: object[]): Connection {
  const around = <T extends object>(real: T, on: Record<string, (...given: never[]) => unknown>) =>
    new Proxy(real, {
      get: (target, name) => {
        const value = on[String(name)] ?? (Reflect.get(target, name) as unknown);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  return around(connection, {
    collection: (name: string) => {
      const rows = connection.collection(name);
      return around(rows, {
        find: (filter: object, options?: object) => {
          asked.push(filter);
          return rows.find(filter, options);
        },
      });
    },
  });
}
