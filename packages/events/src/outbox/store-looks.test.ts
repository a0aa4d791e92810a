import { StoreLooks } from './store-looks';

const { now } = performance;
let nowMs = 0;
beforeEach(() => {
  nowMs = 5_000;
  performance.now = () => nowMs;
});
afterEach(() => {
  performance.now = now;
});

const all = () => true;
const notAll = () => false;
const nothing = async () => [];

test('a look is due until one has seen all that there is, and then a second later', async () => {
  const looks = new StoreLooks();
  expect(looks.isDue()).toBe(true);
  expect(await looks.look(async () => ['left behind'], notAll)).toEqual(['left behind']);
  expect(looks.isDue()).toBe(true);
  await looks.look(nothing, all);
  nowMs += 999;
  expect(looks.isDue()).toBe(false);
  nowMs += 1;
  expect(looks.isDue()).toBe(true);
});

test('whether all was seen is judged by what was found', async () => {
  const looks = new StoreLooks();
  await looks.look(
    async () => [1, 2],
    (found) => found.length < 3,
  );
  expect(looks.isDue()).toBe(false);
});

test('the second counts from the begin of a look: what came while it lasted may have been missed', async () => {
  const looks = new StoreLooks();
  const slow = async () => {
    nowMs += 700;
    return [];
  };
  await looks.look(slow, all);
  nowMs += 300;
  expect(looks.isDue()).toBe(true);
});

test('after a write of which nothing was heard every look is one at the store, for a minute', async () => {
  const looks = new StoreLooks();
  await looks.look(nothing, all);
  looks.doubt();
  for (const passedMs of [0, 30_000, 29_999]) {
    nowMs += passedMs;
    await looks.look(nothing, all);
    expect(looks.isDue()).toBe(true);
  }
  nowMs += 1;
  await looks.look(nothing, all);
  expect(looks.isDue()).toBe(false);
});

test('a look that is asked for is due at once, also where one is under way that began before', async () => {
  const looks = new StoreLooks();
  await looks.look(nothing, all);
  looks.ask();
  expect(looks.isDue()).toBe(true);
  const overtaken = async () => {
    looks.ask();
    return [];
  };
  await looks.look(overtaken, all);
  expect(looks.isDue()).toBe(true);
  await looks.look(nothing, all);
  expect(looks.isDue()).toBe(false);
});
