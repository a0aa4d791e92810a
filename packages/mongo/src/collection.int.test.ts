import { newId } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import { collection } from './collection';
import { erasePerson, mergePerson, personExport, removeWorkspace, shown } from './database';

interface Stay {
  _id: string;
  workspace_id: string;
  guest_id: string | null;
  host_id: string | null;
  note: string;
}

const visits = collection<Stay>('visits', {
  tenant: 'workspace_id',
  person: {
    column: ['guest_id', 'host_id'],
    merged: 'moves',
    anonymized: { set: { note: '' } },
    deleted: 'goes',
    exported: 'shown',
  },
  indexes: [],
});
const bills = collection<Stay>('bills', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its visit names the client',
    merged: 'stays: it goes with its visit',
    anonymized: 'stays: numbers',
    deleted: async ({ rows, session }, { clientId }) => {
      await rows.updateMany({ note: clientId }, { $set: { note: 'void' } }, { session });
    },
    exported: 'withheld: the visit is shown',
  },
  indexes: [],
});
const rates = collection<Stay>('rates', {
  tenant: 'none: one for all',
  person: 'nobody',
  indexes: [],
});

const collections = [visits, bills, rates];
const [workspaceId, other, ada, bob] = [newId(), newId(), newId(), newId()];
let store: TestStore;
beforeAll(async () => {
  store = await testStore(collections);
});
afterAll(() => store.drop());

const stay = (id: string, workspace_id: string, more: Partial<Stay>): Stay => ({
  _id: id,
  workspace_id,
  guest_id: null,
  host_id: null,
  note: 'of Ada',
  ...more,
});

beforeEach(async () => {
  for (const { collection: name } of collections)
    await store.connection.collection(name).deleteMany({});
  await visits
    .open(store.connection)
    .insertMany([
      stay('a', workspaceId, { guest_id: ada }),
      stay('b', workspaceId, { host_id: ada, guest_id: bob }),
      stay('c', other, { guest_id: ada }),
    ]);
  await bills.open(store.connection).insertOne(stay('d', workspaceId, { note: ada }));
  await rates.open(store.connection).insertOne(stay('e', workspaceId, {}));
});

const database = () => ({ connection: store.connection, collections });
const all = (from: typeof visits) =>
  from.open(store.connection).ofEverybody.find().sort({ _id: 1 }).toArray();

test('a merge moves every column that names the client, in its workspace alone', async () => {
  await mergePerson(database(), { workspaceId, source: ada, target: bob });
  expect(await all(visits)).toMatchObject([
    { guest_id: bob, host_id: null },
    { guest_id: bob, host_id: bob },
    { guest_id: ada },
  ]);
});

test('an anonymized client is emptied out of its rows, and no other out of theirs', async () => {
  await erasePerson(database(), { workspaceId, clientId: ada, ending: 'anonymized' });
  expect((await all(visits)).map(({ note }) => note)).toEqual(['', '', 'of Ada']);
});

test('a deleted client’s rows go and hooks have their say, in its workspace alone', async () => {
  await erasePerson(database(), { workspaceId, clientId: ada, ending: 'deleted' });
  expect((await all(visits)).map(({ _id }) => _id)).toEqual(['c']);
  expect(await all(bills)).toMatchObject([{ note: 'void' }]);
});

test('an export holds the rows of the person by every column that names it, and of no other', async () => {
  const present = (_deps: unknown, rows: Stay[]) => ({ visits: rows.map(({ _id }) => _id) });
  const ask = personExport(collections, [shown(visits, present)]);
  const who = { workspace_id: workspaceId, client_id: ada };
  expect(await ask(database(), who)).toEqual({ data: { visits: ['a', 'b'] } });
});

test('an export that leaves out a collection which is shown cannot be made', () => {
  expect(() => personExport(collections, [])).toThrow('leaves out visits');
});

test('of a removed workspace nothing stays but what belongs to none', async () => {
  await removeWorkspace(database(), workspaceId);
  expect((await all(visits)).map(({ _id }) => _id)).toEqual(['c']);
  expect(await all(bills)).toEqual([]);
  expect(await all(rates)).toHaveLength(1);
});

test('a row of another tenant is not found, whatever the filter says', async () => {
  const own = visits.open(store.connection).of(workspaceId);
  expect(await own.findOne({ _id: 'c' })).toBeNull();
  expect(await own.has({ _id: 'c', workspace_id: other })).toBe(false);
  expect((await own.updateMany({}, { $set: { note: 'seen' } })).modifiedCount).toBe(2);
  expect(await own.count()).toBe(2);
  expect(await own.distinct('note')).toEqual(['seen']);
  const notes = own.aggregate<{ _id: string }>({}, [{ $group: { _id: '$workspace_id' } }]);
  expect(await notes.toArray()).toEqual([{ _id: workspaceId }]);
  expect((await own.deleteOne({ _id: 'c' })).deletedCount).toBe(0);
  const { _id, ...foreign } = stay('c', other, { note: 'taken' });
  expect((await own.replaceOne({ _id }, foreign)).matchedCount).toBe(0);
  await own.replaceOne({ _id: 'a' }, foreign);
  expect(await own.findOne({ note: 'taken' })).toMatchObject({ workspace_id: workspaceId });
  await own.updateOne({ _id: 'f' }, { $set: { note: 'new' } }, { upsert: true });
  expect(await own.findOne({ _id: 'f' })).toMatchObject({ workspace_id: workspaceId });
  expect((await own.deleteMany({})).deletedCount).toBe(3);
});

test('rows that belong to no workspace are not asked for one', () => {
  expect(() => rates.open(store.connection).of(workspaceId)).toThrow('belongs to no workspace');
});

/** Takes what `collection` takes and does nothing. */
const declare = <Document extends { _id: unknown }>(
  ..._answers: Parameters<typeof collection<Document>>
): void => undefined;

test('a collection that does not say whose it is does not compile', () => {
  const indexes = [] as const;
  // @ts-expect-error: whose workspace?
  declare<Stay>('a', { person: 'nobody', indexes });
  // @ts-expect-error: a reason is missing.
  declare<Stay>('a', { tenant: 'none', person: 'nobody', indexes });
  // @ts-expect-error: it has no such column.
  declare<{ _id: string }>('a', { tenant: 'workspace_id', person: 'nobody', indexes });
  // @ts-expect-error: whose person?
  declare<Stay>('a', { tenant: 'workspace_id', indexes });
  const answers = {
    column: 'guest_id',
    merged: 'moves',
    anonymized: 'goes',
    deleted: 'as anonymized',
  } as const;
  // @ts-expect-error: what is a person shown?
  declare<Stay>('a', { tenant: 'workspace_id', person: answers, indexes });
  const unnamed = { ...answers, column: 'none: by luck', exported: 'shown' } as const;
  // @ts-expect-error: nothing can be moved without a column.
  declare<Stay>('a', { tenant: 'workspace_id', person: unnamed, indexes });
});

interface Card {
  _id: string;
  workspace_id: string;
  client_id: string | null;
}

test('a collection with clients in it neither denies them nor takes what is theirs along to a clone', () => {
  const own = { tenant: 'workspace_id', indexes: [] } as const;
  // @ts-expect-error: a client is in it.
  declare<Card>('a', { ...own, person: 'nobody', clone: 'copied' });
  const person = {
    column: 'client_id',
    merged: 'moves',
    anonymized: 'goes',
    deleted: 'goes',
    exported: 'shown',
  } as const;
  // @ts-expect-error: cards of clients would be in the clone.
  declare<Card>('a', { ...own, person, clone: 'copied' });
  // @ts-expect-error: as before, in more words.
  declare<Card>('a', { ...own, person, clone: { copied: 'all' } });
  const but = (row: Card) => (row.client_id === null ? row : null);
  declare<Card>('a', { ...own, person, clone: { copied: 'all', but } });
});
