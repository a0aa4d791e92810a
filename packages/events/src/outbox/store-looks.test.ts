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
  expect(await looks.look(async () => ['left behind'], notAll, 10)).toEqual(['left behind']);
  expect(looks.isDue()).toBe(true);
  await looks.look(nothing, all, 10);
  nowMs += 999;
  expect(looks.isDue()).toBe(false);
  nowMs += 1;
  expect(looks.isDue()).toBe(true);
});

test('the first look is at all that there is, and so is each while nothing old waits', async () => {
  const looks = new StoreLooks();
  const from: string[] = [];
  const read = async (after: string) => {
    from.push(after);
    return [];
  };
  await looks.look(read, all, 10);
  await looks.look(read, all, 10);
  expect(from).toEqual(['', '']);
});

test('whether all was seen is judged by what was found', async () => {
  const looks = new StoreLooks();
  await looks.look(
    async () => [1, 2],
    (found) => found.length < 3,
    3,
  );
  expect(looks.isDue()).toBe(false);
});

test('the second counts from the begin of a look: what came while it lasted may have been missed', async () => {
  const looks = new StoreLooks();
  const slow = async () => {
    nowMs += 700;
    return [];
  };
  await looks.look(slow, all, 10);
  nowMs += 300;
  expect(looks.isDue()).toBe(true);
});

test('after a write of which nothing was heard every look is one at the store, for a minute', async () => {
  const looks = new StoreLooks();
  await looks.look(nothing, all, 10);
  looks.doubt();
  for (const passedMs of [0, 30_000, 29_999]) {
    nowMs += passedMs;
    await looks.look(nothing, all, 10);
    expect(looks.isDue()).toBe(true);
  }
  nowMs += 1;
  await looks.look(nothing, all, 10);
  expect(looks.isDue()).toBe(false);
});

test('a look that is asked for is due at once, also where one is under way that began before', async () => {
  const looks = new StoreLooks();
  await looks.look(nothing, all, 10);
  looks.ask();
  expect(looks.isDue()).toBe(true);
  const overtaken = async () => {
    looks.ask();
    return [];
  };
  await looks.look(overtaken, all, 10);
  expect(looks.isDue()).toBe(true);
  await looks.look(nothing, all, 10);
  expect(looks.isDue()).toBe(false);
});

describe('where something has waited for long', () => {
  const NOW = Date.UTC(2026, 10, 30, 12);
  /** Sorts before what is two minutes old, and that before what is one minute old. */
  const [TWO_OLD, ONE_OLD] = [2, 1].map((minutes) => idOf(NOW - minutes * 60_000));
  let looks: StoreLooks;
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
    looks = new StoreLooks();
    looks.measured(new Date(NOW - 91_000));
  });
  afterEach(() => jest.restoreAllMocks());

  async function begins(found: readonly number[] = []): Promise<string> {
    let from = 'nothing was asked';
    const read = async (after: string) => {
      from = after;
      return [...found];
    };
    await looks.look(read, () => false, 2);
    return from;
  }

  test('a look that has found the last of it lets the next ones begin behind it, for ten seconds', async () => {
    expect(await begins([1])).toBe('');
    for (const passedMs of [0, 9_999]) {
      nowMs += passedMs;
      const from = await begins([1]);
      expect(from > TWO_OLD! && from < ONE_OLD!).toBe(true);
    }
    nowMs += 1;
    expect(await begins()).toBe('');
  });

  test('a full page lets nothing be passed by', async () => {
    await begins([1, 2]);
    expect(await begins()).toBe('');
  });

  test.each<[string, (looks: StoreLooks) => void]>([
    ['a look is asked for', (one) => one.ask()],
    ['something is in doubt', (one) => one.doubt()],
    ['nothing old waits any more', (one) => one.measured(new Date(NOW - 89_000))],
    ['nothing waits any more', (one) => one.measured(null)],
  ])('all is looked through again when %s', async (_when, change) => {
    await begins();
    change(looks);
    expect(await begins()).toBe('');
  });

  test('all is looked through as long as something is in doubt', async () => {
    looks.doubt(2_000);
    await begins();
    nowMs += 1_999;
    expect(await begins()).toBe('');
    nowMs += 1;
    await begins();
    expect(await begins()).not.toBe('');
  });

  test('a look that was asked for while one was under way is one at all', async () => {
    await looks.look(
      async () => {
        looks.ask();
        return [];
      },
      all,
      2,
    );
    expect(await begins()).toBe('');
  });
});

/** As ids of a moment begin, in the words of RFC 9562. */
function idOf(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7abc-8def-0123456789ab`;
}
