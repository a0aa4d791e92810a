import { type TestStore, testStore, until } from '@laurel/testing';
import { activityMarks, activityTallies, createActivityStore } from './activity';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 4, 18);
const DAY = { from: START, until: START + DAY_MS };

let store: TestStore;
beforeAll(async () => {
  store = await testStore([activityTallies, activityMarks]);
});
afterAll(() => store.drop());

type Activity = ReturnType<typeof createActivityStore>;

/** A count that takes longer than one waits for it is null, and there the next time. */
const known = (activity: Activity, workspaceId: string, spans: Parameters<Activity['of']>[1]) =>
  until(async () => {
    const found = await activity.of(workspaceId, spans);
    return !found.includes(null) && found;
  });

function activityAt(moment: number) {
  const clock = { now: moment };
  const happened: { at: number; client: string }[] = [];
  let counted = 0;
  const events = {
    countActors: async (
      _id: string,
      _categories: readonly string[],
      { from, until: end }: { from: Date; until: Date },
    ) => {
      counted += 1;
      const within = happened.filter(({ at }) => at >= from.getTime() && at < end.getTime());
      return new Set(within.map(({ client }) => client)).size;
    },
  };
  const activity = createActivityStore(store.connection, events, () => clock.now);
  return { activity, clock, happened, counted: () => counted };
}

test('a customer who came twice counts once in each span, and a span that is over is counted once', async () => {
  const { activity, happened, counted } = activityAt(START + 30 * DAY_MS);
  happened.push({ at: START, client: 'a' }, { at: START + 1, client: 'a' });
  happened.push({ at: START + DAY_MS, client: 'a' }, { at: START + DAY_MS, client: 'b' });
  const next = { from: DAY.until, until: DAY.until + DAY_MS };
  const both = { from: DAY.from, until: next.until };
  expect(await known(activity, 'w1', [DAY, next, both])).toEqual([1, 2, 2]);
  expect(await known(activity, 'w1', [both, DAY])).toEqual([2, 1]);
  expect(counted()).toBe(3);
});

test('a purchase reported late is counted: within three days by itself, afterwards by the mark it leaves', async () => {
  const { activity, clock, happened } = activityAt(DAY.until + 1_000);
  expect(await known(activity, 'w2', [DAY])).toEqual([0]);
  happened.push({ at: START, client: 'a' });
  clock.now = DAY.until + 2 * DAY_MS;
  expect(await known(activity, 'w2', [DAY])).toEqual([1]);
  clock.now = DAY.until + 4 * DAY_MS;
  expect(await known(activity, 'w2', [DAY])).toEqual([1]);
  clock.now = DAY.until + 20 * DAY_MS;
  await activity.mark([{ workspace_id: 'w2', event_timestamp: new Date(START + 5) }]);
  happened.push({ at: START + 5, client: 'b' });
  expect(await known(activity, 'w2', [DAY])).toEqual([2]);
  // Other days and workspaces stay as they are.
  const other = activityAt(clock.now);
  expect(await known(other.activity, 'w3', [DAY])).toEqual([0]);
});

test('a count that is dear is given as it was while it is renewed', async () => {
  const clock = { now: DAY.from + 1_000 };
  let active = 1;
  const countActors = async () => {
    clock.now += 1_000;
    return active;
  };
  const activity = createActivityStore(store.connection, { countActors }, () => clock.now);
  expect(await known(activity, 'w4', [DAY])).toEqual([1]);
  active = 2;
  clock.now += 50_000;
  expect(await known(activity, 'w4', [DAY])).toEqual([1]);
  clock.now += 60_000;
  expect(await known(activity, 'w4', [DAY])).toEqual([1]);
  await until(async () => (await activity.of('w4', [DAY]))[0] === 2);
});
