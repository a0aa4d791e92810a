import timers from 'node:timers';
import { testServers, until } from '@laurel/testing';
import { connectStore } from './connection';

test('a pool at rest looks for its connections every two seconds, and not ten times in one', async () => {
  const armed = jest.spyOn(timers, 'setTimeout');
  const connection = await connectStore({
    uri: testServers().mongodbUri,
    database: 'resting_pools',
    poolSize: 2,
  });
  // The pool is filled while the first command goes its way, and looks for the first time when it is.
  const looks = await until(() => {
    const looked = armed.mock.calls.filter(([work]) => String(work).includes('ensureMinPoolSize'));
    return looked.length > 0 && looked;
  });
  expect([...new Set(looks.map(([, delayMs]) => delayMs))]).toEqual([2_000]);
  armed.mockRestore();
  await connection.close();
});
