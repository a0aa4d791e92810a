import { type TestStore, testStore } from '@laurel/testing';
import { removeOlder } from './remove-older';

const NOW = new Date('2026-01-15T10:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const PAST = { collection: 'things', column: 'at', before: daysAgo(30), where: { done: true } };

let store: TestStore;
beforeEach(async () => {
  const newest = { key: { workspace_id: 1, at: -1 }, name: 'newest' } as const;
  store = await testStore([{ collection: 'things', indexes: [newest] }]);
});
afterEach(() => store.drop());

const things = () => store.connection.collection<{ _id: string }>('things');
const left = async () => (await things().distinct('_id', {})).sort();

test('only what is older than the moment and done goes, of every workspace', async () => {
  const rows = ['a', 'b', 'c'].flatMap((workspace_id) => [
    { _id: `${workspace_id}-old`, workspace_id, at: daysAgo(31), done: true },
    { _id: `${workspace_id}-young`, workspace_id, at: daysAgo(29), done: true },
    { _id: `${workspace_id}-open`, workspace_id, at: daysAgo(900) },
  ]);
  await things().insertMany(rows as never[]);
  expect(await removeOlder(store.connection, PAST)).toEqual({ more: false });
  expect(await left()).toEqual(['a-open', 'a-young', 'b-open', 'b-young', 'c-open', 'c-young']);
});

test('a run ends after fifty thousand rows, and the next one goes on', async () => {
  const row = (_id: string, workspace_id: string) => ({
    _id,
    workspace_id,
    at: daysAgo(40),
    done: true,
  });
  const rows = Array.from({ length: 50_000 }, (_, at) => row(`many-${at}`, 'many'));
  await things().insertMany([...rows, row('one', 'other')] as never[]);
  expect(await removeOlder(store.connection, PAST)).toEqual({ more: true });
  expect(await left()).toEqual(['one']);
  expect(await removeOlder(store.connection, PAST)).toEqual({ more: false });
  expect(await left()).toEqual([]);
});
