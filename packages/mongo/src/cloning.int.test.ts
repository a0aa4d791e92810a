import { newId } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import { idInClone } from './cloning';
import { collection } from './collection';

interface Thing {
  _id: string;
  workspace_id: string;
  picture: string | null;
  likes: string[];
  text: string;
  count: number;
  made: Date;
}

const shape = { tenant: 'workspace_id', person: 'nobody', indexes: [] } as const;
const things = collection<Thing>('things', {
  ...shape,
  clone: { copied: 'all', but: (row) => (row.text === 'gone' ? null : { ...row, count: 0 }) },
});
const pictures = collection<Thing>('pictures', { ...shape, clone: { copied: 'where named' } });
const secrets = collection<Thing>('secrets', { ...shape, clone: 'left: they are of the source' });
const collections = [things, pictures, secrets];

const [source, clone, other] = [newId(), newId(), newId()];
const [cup, cake, seen, hidden, foreign] = [newId(), newId(), newId(), newId(), newId()];
const made = new Date('2026-01-01');
let store: TestStore;
beforeAll(async () => {
  store = await testStore(collections);
});
afterAll(() => store.drop());

const row = (_id: string, more: Partial<Thing> = {}): Thing => ({
  _id,
  workspace_id: source,
  picture: null,
  likes: [],
  text: '',
  count: 7,
  made,
  ...more,
});
const never = () => false;

beforeEach(async () => {
  for (const { collection: name } of collections)
    await store.connection.collection(name).deleteMany({});
  await things.open(store.connection).insertMany([
    row(cup, {
      picture: seen,
      likes: [cake],
      text: `in ${source}: {"like":"${cake}"} ${foreign}`,
    }),
    row(cake, { likes: [foreign] }),
    row(`${cup}:door`),
    row(newId(), { text: 'gone', picture: hidden }),
    row(newId(), { workspace_id: other }),
  ]);
  await pictures.open(store.connection).insertMany([row(seen), row(hidden)]);
  await secrets.open(store.connection).insertOne(row(newId()));
});

async function survey(): Promise<Set<string>> {
  const asked = async (named: string[]) =>
    Promise.all(collections.map((each) => each.surveyForClone(store.connection, source, named)));
  const mentions = (await asked([])).flatMap(({ mentions: some }) => [...some]);
  return new Set((await asked(mentions)).flatMap(({ ids }) => [...ids]));
}

async function copy(ids: ReadonlySet<string>, isOver = never): Promise<boolean> {
  const order = { source, clone, ids, renamed: new Map<string, string>() };
  const done = [];
  for (const each of collections)
    done.push((await each.copyToClone(store.connection, order, isOver)).done);
  return done.every(Boolean);
}
const inClone = async (from: typeof things) =>
  from.open(store.connection).of(clone).find().sort({ text: -1, _id: 1 }).toArray();

test('a clone gets what is declared as copied, under ids of its own that are named alike everywhere', async () => {
  expect(await copy(await survey())).toBe(true);
  const [itsCup, itsCake] = [idInClone(clone, cup), idInClone(clone, cake)];
  const found = await inClone(things);
  expect(new Set(found.map(({ _id }) => _id))).toEqual(
    new Set([itsCup, itsCake, `${itsCup}:door`]),
  );
  expect(found[0]).toEqual({
    _id: itsCup,
    workspace_id: clone,
    picture: idInClone(clone, seen),
    likes: [itsCake],
    text: `in ${clone}: {"like":"${itsCake}"} ${foreign}`,
    count: 0,
    made,
  });
  expect(await inClone(secrets)).toEqual([]);
});

test('ids that are of nothing in the workspace stay as they are', async () => {
  await copy(await survey());
  const [, itsCake] = (await inClone(things)).filter(({ likes }) => likes.length > 0);
  expect(itsCake!.likes).toEqual([foreign]);
});

test('of what is there for many, only what is named by something that is copied goes along', async () => {
  await copy(await survey());
  expect((await inClone(pictures)).map(({ _id }) => _id)).toEqual([idInClone(clone, seen)]);
});

test('what is made after the survey stays behind, and the rest goes as it was found', async () => {
  const ids = await survey();
  await things.open(store.connection).insertOne(row(newId(), { text: 'late' }));
  await copy(ids);
  expect((await inClone(things)).map(({ text }) => text)).not.toContain('late');
});

test('copying that was cut short goes on where it was, and repeating it changes nothing', async () => {
  const ids = await survey();
  let asked = 0;
  expect(await copy(ids, () => ++asked > 1)).toBe(false);
  await things
    .open(store.connection)
    .of(clone)
    .deleteOne({ _id: idInClone(clone, cup) });
  expect(await copy(ids)).toBe(true);
  const once = await inClone(things);
  await things
    .open(store.connection)
    .of(clone)
    .updateOne({ _id: idInClone(clone, cake) }, { $set: { count: 3 } });
  await copy(ids);
  const again = await inClone(things);
  expect(again.map(({ _id }) => _id)).toEqual(once.map(({ _id }) => _id));
  expect(again.find(({ _id }) => _id === idInClone(clone, cake))!.count).toBe(3);
});

test('a workspace and others than its clone are left as they were', async () => {
  const before = await things.open(store.connection).ofEverybody.find().toArray();
  await copy(await survey());
  const filter = { workspace_id: { $ne: clone } };
  expect(await things.open(store.connection).ofEverybody.find(filter).toArray()).toEqual(before);
});

test('an id in a clone is the same for everybody who asks, another in each clone, and sorts by its age', () => {
  expect(idInClone(clone, cup)).toBe(idInClone(clone, cup));
  expect(idInClone(other, cup)).not.toBe(idInClone(clone, cup));
  expect(idInClone(clone, cup)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(idInClone(clone, cup).slice(0, 18)).toBe(cup.slice(0, 18));
});
