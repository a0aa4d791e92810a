import { wrongGaps } from '@laurel/page-kit/testing/gaps';
import { currencyOf } from './first-run/surroundings';
import { takeToken } from './take-token';
import { de } from './words/de';
import { en } from './words/en';
import { es } from './words/es';
import { fr } from './words/fr';
import { pl } from './words/pl';

test('the token of a mailed link leaves the address, nothing else does, and a reload still has it', () => {
  const replaceState = jest.fn();
  const href = 'https://loyalty.example/verify-email?token=secret&from=mail';
  expect(takeToken({ href }, { replaceState, state: null })).toBe('secret');
  expect(replaceState).toHaveBeenCalledWith({ token: 'secret' }, '', '/verify-email?from=mail');
  const again = { href: 'https://loyalty.example/verify-email?from=mail' };
  expect(takeToken(again, { replaceState, state: { token: 'secret' } })).toBe('secret');
  const none = jest.fn();
  const href2 = 'https://loyalty.example/sign-in';
  expect(takeToken({ href: href2 }, { replaceState: none, state: null })).toBeNull();
  expect(none).not.toHaveBeenCalled();
});

test('a currency is proposed by where the shop is', () => {
  expect(
    ['Europe/Berlin', 'Europe/Warsaw', 'America/New_York', 'Africa/Lagos'].map(currencyOf),
  ).toEqual(['EUR', 'PLN', 'USD', 'EUR']);
});

test.each(Object.entries({ de, fr, es, pl }))(
  '%s leaves the gaps that English leaves',
  (_, words) => {
    expect(wrongGaps(words, en)).toEqual([]);
  },
);
