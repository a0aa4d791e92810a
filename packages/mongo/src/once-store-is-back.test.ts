import { onceStoreIsBack } from './once-store-is-back';

const noPrimary = () => Object.assign(new Error('the store is starting up'), { code: 91 });

test('what the store is asked for before a service starts is asked for again while it is away', async () => {
  let asked = 0;
  const answer = onceStoreIsBack(async () => {
    asked += 1;
    if (asked < 3) throw noPrimary();
    return 'there';
  });
  expect(await answer).toBe('there');
  expect(asked).toBe(3);
});

test('what waiting does not help fails at once, and what is away for too long in the end', async () => {
  let asked = 0;
  const failing = (error: Error, awayMsMax?: number) =>
    onceStoreIsBack(() => {
      asked += 1;
      return Promise.reject(error);
    }, awayMsMax);
  await expect(failing(new Error('an index differs'))).rejects.toThrow('an index differs');
  expect(asked).toBe(1);
  await expect(failing(noPrimary(), 300)).rejects.toThrow('starting up');
  expect(asked).toBeGreaterThan(2);
});
