import { platform } from '@laurel/errors';
import { partsOf } from './parts';

test('a service that is down takes its own part of an answer with it, and no other', async () => {
  const asked = {
    rules: Promise.reject(platform.serviceUnavailable()),
    points: Promise.resolve({ total: 3 }),
  };
  expect(await partsOf(asked)).toEqual({
    parts: { rules: null, points: { total: 3 } },
    missing: ['rules'],
  });
});

test('any other refusal or fault is the answer', async () => {
  const refused = { points: Promise.reject(platform.recordNotFound()), rules: Promise.resolve(1) };
  await expect(partsOf(refused)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
  const broken = { points: Promise.reject(new Error('broken')) };
  await expect(partsOf(broken)).rejects.toThrow('broken');
});
