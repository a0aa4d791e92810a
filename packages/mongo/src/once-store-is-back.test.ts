import { onceStoreIsBack } from './once-store-is-back';

const noPrimary = () => Object.assign(new Error('the store is starting up'), { code: 91 });
const ignored = () => undefined;

afterEach(() => {
  jest.restoreAllMocks();
});

test('what the store is asked for before a service starts is asked for again while it is away', async () => {
  let asked = 0;
  const said: string[] = [];
  const onAway = (error: unknown) => said.push((error as Error).message);
  const answer = onceStoreIsBack(
    async () => {
      asked += 1;
      if (asked < 3) throw noPrimary();
      return 'there';
    },
    { onAway },
  );
  expect(await answer).toBe('there');
  expect(asked).toBe(3);
  expect(said).toEqual(['the store is starting up']);
});

test('what the store was at for long before it went away is asked for again, too', async () => {
  let [asked, now] = [0, 0];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const answer = onceStoreIsBack(
    async () => {
      asked += 1;
      if (asked > 1) return 'built';
      now += 3_600_000;
      throw noPrimary();
    },
    { onAway: ignored },
  );
  expect(await answer).toBe('built');
});

test('what waiting does not help fails at once, and what is away for too long in the end', async () => {
  let asked = 0;
  const failing = (error: Error, awayMsMax?: number) =>
    onceStoreIsBack(
      () => {
        asked += 1;
        return Promise.reject(error);
      },
      { onAway: ignored, ...(awayMsMax === undefined ? {} : { awayMsMax }) },
    );
  await expect(failing(new Error('an index differs'))).rejects.toThrow('an index differs');
  expect(asked).toBe(1);
  await expect(failing(noPrimary(), 300)).rejects.toThrow('starting up');
  expect(asked).toBeGreaterThan(2);
});
