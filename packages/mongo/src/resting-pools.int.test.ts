import timers from 'node:timers';
import { testServers } from '@laurel/testing';
import { connectStore } from './connection';

test('a pool at rest looks for its connections every two seconds, and not ten times in one', async () => {
  const armed = jest.spyOn(timers, 'setTimeout');
  const connection = await connectStore({
    uri: testServers().mongodbUri,
    database: 'resting_pools',
    poolSize: 2,
  });
  await connection.db?.command({ ping: 1 });
  const looks = armed.mock.calls.filter(([work]) => String(work).includes('ensureMinPoolSize'));
  expect(looks.length).toBeGreaterThan(0);
  expect([...new Set(looks.map(([, delayMs]) => delayMs))]).toEqual([2_000]);
  armed.mockRestore();
  await connection.close();
});
