import { PushFailure } from './apple/push';
import { CircuitOpen, createCircuits } from './circuits';
import { GoogleAccountRefusal } from './google/api';

let now = 0;
const circuits = () => createCircuits({ now: () => new Date(now) });
const refused = () => Promise.reject(new PushFailure('Apple answered 403', 403));
const sent = () => Promise.resolve('sent');
const fail = (of: ReturnType<typeof circuits>, key: string) =>
  expect(of.through(key, refused)).rejects.toThrow('403');
const isOpen = (of: ReturnType<typeof circuits>, key: string) =>
  expect(of.through(key, sent)).rejects.toBeInstanceOf(CircuitOpen);

test('credentials that failed three times in a row are left in peace, others are not', async () => {
  const of = circuits();
  for (let failure = 0; failure < 3; failure += 1) await fail(of, 'Apple:a');
  await isOpen(of, 'Apple:a');
  expect(() => of.requireClosed('Apple:a')).toThrow(CircuitOpen);
  expect(await of.through('Apple:b', sent)).toBe('sent');
});

test('after a while one push tries, and when it succeeds all may', async () => {
  const of = circuits();
  for (let failure = 0; failure < 3; failure += 1) await fail(of, 'Apple:a');
  now += 15_001;
  let answer: (outcome: string) => void = () => undefined;
  const probe = of.through(
    'Apple:a',
    () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  );
  await isOpen(of, 'Apple:a');
  answer('sent');
  expect(await probe).toBe('sent');
  expect(await of.through('Apple:a', sent)).toBe('sent');
});

test('a try that fails again closes it for longer', async () => {
  const of = circuits();
  for (let failure = 0; failure < 3; failure += 1) await fail(of, 'Apple:a');
  now += 15_001;
  await fail(of, 'Apple:a');
  now += 29_000;
  await isOpen(of, 'Apple:a');
  now += 1_001;
  expect(await of.through('Apple:a', sent)).toBe('sent');
});

test('an answer about one pass says nothing about the credentials', async () => {
  const of = circuits();
  const about = () => Promise.reject(new PushFailure('Apple answered 400', 400));
  for (let answer = 0; answer < 10; answer += 1)
    await expect(of.through('Apple:a', about)).rejects.toThrow('400');
  expect(await of.through('Apple:a', sent)).toBe('sent');
});

test('however many fail at once, they close it no longer than three in a row', async () => {
  const of = circuits();
  const atOnce = Array.from({ length: 40 }, () => fail(of, 'Apple:a'));
  await Promise.all(atOnce);
  await isOpen(of, 'Apple:a');
  now += 15_001;
  expect(await of.through('Apple:a', sent)).toBe('sent');
});

test('that an account has ended holds up no push that would hear so at once', async () => {
  const of = circuits();
  const ended = () => Promise.reject(new GoogleAccountRefusal(401, 'invalid_client'));
  for (let answer = 0; answer < 10; answer += 1)
    await expect(of.through('Google:a', ended)).rejects.toThrow('401');
  const away = () => Promise.reject(new GoogleAccountRefusal(503, 'later'));
  for (let failure = 0; failure < 3; failure += 1)
    await expect(of.through('Google:a', away)).rejects.toThrow('503');
  await isOpen(of, 'Google:a');
});
