import { createUsedUp } from './till.mjs';

const PAIRING = '/service-api/mobile-app/auth/pair';

test('of all that is refused as not signed in only a pairing whose answer may have been lost is no fault', () => {
  const isUsedUp = createUsedUp();
  const asking = (path = PAIRING) => {
    const request = { method: 'POST' as const };
    return (status: number) => isUsedUp({ path, request, answer: { status } as never });
  };
  expect(asking()(401)).toBe(false);
  const lost = asking();
  expect([0, 503, 401, 401].map(lost)).toEqual([false, false, true, true]);
  const refused = asking();
  expect([0, 403].map(refused)).toEqual([false, false]);
  const other = asking('/service-api/events');
  expect([0, 401].map(other)).toEqual([false, false]);
});
