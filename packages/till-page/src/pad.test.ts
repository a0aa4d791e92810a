import fc from 'fast-check';
import { amountOf, decimalsOf, digitsOf, press } from './pad';

const typed = (keys: string) => [...keys].reduce(press, '');

test('cents fill from the right', () => {
  expect(amountOf(typed('1280'), 2)).toBe(12.8);
  expect(amountOf(typed('5'), 2)).toBe(0.05);
  expect(amountOf('', 2)).toBe(0);
  expect(amountOf(typed('1280'), 0)).toBe(1280);
  expect(press(typed('1280'), 'back')).toBe('128');
  expect(press(typed('1280'), 'clear')).toBe('');
});

test('a currency has as many decimals as people pay with', () => {
  expect([decimalsOf('EUR'), decimalsOf('JPY'), decimalsOf('KWD')]).toEqual([2, 0, 3]);
});

test('what is typed is what is sent, to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.constantFrom(0, 2, 3), (cents, at) => {
      const digits = typed(String(cents));
      expect(amountOf(digits, at)).toBe(Number(`${cents}e-${at}`));
      expect(digitsOf(amountOf(digits, at), at)).toBe(digits);
    }),
  );
});
