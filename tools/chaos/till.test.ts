import { isUsedUp } from './till.mjs';

test('of all that is refused as not signed in only the repeat of a pairing is no fault', () => {
  const pairing = '/service-api/mobile-app/auth/pair';
  const attempt = (path: string, status: number) => ({ path, answer: { status } as never });
  expect(isUsedUp(attempt(pairing, 401))).toBe(true);
  expect(isUsedUp(attempt(pairing, 403))).toBe(false);
  expect(isUsedUp(attempt('/service-api/events', 401))).toBe(false);
});
