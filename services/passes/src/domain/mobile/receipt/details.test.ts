import { isCutOff, withCents } from './cents';
import { currencyIn, prevailingCurrency } from './currency';
import { dateOf } from './date';
import { merchantOf } from './merchant';
import { amountsIn, wholeAmountsIn } from './money';
import { factsOf } from './receipt';
import { totalOf } from './total';
import { folded } from './words';

const TODAY = '2026-11-21';
const dayIn = (text: string, monthFirst = false) =>
  dateOf(text.split('\n'), { today: TODAY, monthFirst });

test.each([
  ['12.345,67', [12_345.67]],
  ['123 456,78', [123_456.78]],
  ['1.234.567,89', [1_234_567.89]],
  ['1’234.50', [1_234.5]],
])('an amount in groups of three is read whole: %s', (line, amounts) => {
  expect(amountsIn(line)).toEqual(amounts);
});

test.each([
  ['¥ 12,345', [12_345]],
  ['1.234.567 Ft', [1_234_567]],
  ['123 456', [123_456]],
  ['3 x 1200', [3, 1_200]],
  ['1200, 300', [300]],
  ['10%', []],
  ['10 %', []],
  ['12:30', []],
  ['1,333.', []],
  ['4.50', []],
])('of numbers without decimals, those that may be prices are read: %s', (line, amounts) => {
  expect(wholeAmountsIn(line)).toEqual(amounts);
});

test.each([
  ['5 euro', 'EUR'],
  ['5 euros', 'EUR'],
  ['C$ 5', 'CAD'],
  ['5 cad', 'CAD'],
  ['A$ 5', 'AUD'],
  ['AU$ 5', 'AUD'],
  ['MX$ 5', 'MXN'],
  ['R$ 5', 'BRL'],
  ['120 Kč', 'CZK'],
  ['Kč 120', 'CZK'],
  ['120 Kčs', null],
  ['1200Ft', 'HUF'],
  ['5 ft long', 'HUF'],
  ['left', null],
  ['120 SEK', 'SEK'],
  ['120 NOK', 'NOK'],
  ['120 DKK', 'DKK'],
  ['12 lei', 'RON'],
  ['12lei', 'RON'],
  ['lei', null],
  ['a lei', null],
  ['₴ 120', 'UAH'],
  ['¥ 1200', 'JPY'],
])('%s names the currency %s', (text, code) => {
  expect(currencyIn(text)).toBe(code);
});

test('the currency of a receipt is the one that most of its lines name, wherever they stand', () => {
  expect(prevailingCurrency(['Tea 1 $', 'Cake 2 €', 'Rice', 'Milk 3 €'])).toBe('EUR');
  expect(prevailingCurrency(['Cake 2 €', 'Milk 3 €', 'Tea 1 $'])).toBe('EUR');
  expect(prevailingCurrency(['Tea', ''])).toBeNull();
  const text = 'Shop\nTea 1 $\nRice 1 $\nTotal\nEUR 5.00';
  expect(factsOf(text, TODAY)).toMatchObject({ amount: 5, currency: 'EUR' });
});

test.each([
  ['14 . 03 . 2026', '2026-03-14'],
  ['14 /03/ 2026', '2026-03-14'],
  ['2026 - 03 - 14', '2026-03-14'],
  ['2026 . 3 . 14', '2026-03-14'],
  ['am 2026-03-14 um 9', '2026-03-14'],
  ['am 14 March 2026', '2026-03-14'],
  ['14 de  marzo  de  2026', '2026-03-14'],
  ['14 March   2026', '2026-03-14'],
  ['on March  14  2026, noon', '2026-03-14'],
  ['12/12/2025', '2025-12-12'],
  ['21.11.2026', TODAY],
  ['14.03.2026.1', null],
  ['14.03.20261', null],
  ['14/03.2026', null],
])('the day in %j is %s', (text, day) => {
  expect(dayIn(text)).toBe(day);
});

test.each(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'])(
  'a word begins as a month does, or names none: %s',
  (month) => {
    expect(dayIn(`14 ${month} 2025`)).toMatch(/^2025-\d\d-14$/);
    expect(dayIn(`14 x${month} 2025`)).toBeNull();
  },
);

test.each([
  ['März', '03'],
  ['Maerz', '03'],
  ['march', '03'],
  ['ene', '01'],
  ['lut', '02'],
  ['avril', '04'],
  ['mai', '05'],
  ['juin', '06'],
  ['lipca', '07'],
  ['sierpnia', '08'],
  ['wrz', '09'],
  ['Okt', '10'],
  ['lis', '11'],
  ['grudnia', '12'],
])('the name %s stands for the month %s', (name, month) => {
  expect(dayIn(`14 ${name} 2025`)).toBe(`2025-${month}-14`);
});

test('a number above twelve is no month, whatever the habit', () => {
  expect(dayIn('14/03/2026', true)).toBe('2026-03-14');
  expect(dayIn('03/14/2026', false)).toBe('2026-03-14');
  expect(dayIn('12/03/2026', true)).toBe(null);
  expect(dayIn('03/12/2025', false)).toBe('2025-12-03');
  expect(factsOf('03/04/2026\nTotal CAD 5.00', TODAY).date).toBe('2026-03-04');
});

test('what a receipt calls its date is found behind other signs, and not inside of words', () => {
  expect(dayIn('Since 01.01.2026\n* Datum: 14.03.2026')).toBe('2026-03-14');
  expect(dayIn('Since 01.01.2026\nUpdates 14.03.2026')).toBe('2026-01-01');
});

test.each([
  [['TOTAL 12.00', 'TOTAL 15.00'], 15],
  [['TOTAL 15.00', 'TOTAL 12.00'], 15],
  [['Total due after tax 12.00'], 12],
  [['Coffee $3.40', 'Cake $4.', 'Total'], 3.4],
  [['Coffee $3.40', 'Sub-total $4.'], 3.4],
  [['Total (with VAT) 12.00'], 12],
  [['Total inc VAT 12.00'], 12],
  [['Total', 'EUR 8.20'], 8.2],
  [['Total', 'EUR 8'], 8],
  [['Total 3'], null],
  [['Total'], null],
  [['Coffee 9.00 €', 'Cake 4.25 €'], 9],
  [['Total 12.00 -2.00'], 12],
  [['Total 12.00 0.00'], 12],
  [['Pay in €'], null],
])('what is to be paid by %j is %s', (lines, amount) => {
  expect(totalOf(lines)?.amount ?? null).toBe(amount);
});

test('a line with a currency and no amount says nothing of what is to be paid', () => {
  expect(totalOf(['Pay in €'])).toBeNull();
});

test('cents come back to their amounts only from one column, of two at least', () => {
  const cut = ['A $1.', 'B $2.'];
  const whole = ['A $1.50', 'B $2.60'];
  expect(withCents([...cut, '50', '60', 'Bye'])).toEqual([...whole, 'Bye']);
  expect(withCents(['50  60', ...cut, 'Bye'])).toEqual([...whole, 'Bye']);
  expect(withCents(['A $1.', '50  60', 'B $2.'])).toEqual(whole);
  for (const column of [['No 50 60'], ['50 60 x'], ['50'], ['50', 'x', '60'], ['50', '60', '70']])
    expect(withCents([...cut, ...column])).toEqual([...cut, ...column]);
  expect(withCents(['A $1.', '50'])).toEqual(['A $1.', '50']);
  expect(factsOf('Shop\n  A $1.\r\n  TOTAL $1.\n   50\n   50', TODAY).amount).toBe(1.5);
});

test.each(['$1,333.', '12,299.', '123.456.789,', '5.'])('%s was cut off', (line) => {
  expect(isCutOff(line)).toBe(true);
});

test('the name of the shop stands at the head of a receipt, and is no longer than a name', () => {
  const numbers = (count: number) => Array(count).fill('12345');
  expect(merchantOf([...numbers(7), 'Corner'])).toBe('Corner');
  expect(merchantOf([...numbers(8), 'Corner'])).toBeNull();
  expect(merchantOf(['x'.repeat(150)])).toHaveLength(100);
  expect(merchantOf(['Corner   Coffee'])).toBe('Corner Coffee');
  expect(factsOf(`${'\n  \n'.repeat(10)}Corner`, TODAY).merchant).toBe('Corner');
});

test.each([
  ['Spa', 'Spa'],
  ['Shop 24', 'Shop 24'],
  ['abc 123', 'abc 123'],
  ['abc 1234', null],
  ['a-+b-c', 'a-+b-c'],
  ['a-+-b-+-c', null],
  ['http://corner', null],
  ['https://corner', null],
])('as the name of a shop %j is %s', (line, name) => {
  expect(merchantOf([line])).toBe(name);
});

test.each([
  ['Smørrebrød', 'smorrebrod'],
  ['Æble', 'aeble'],
  ['Œuf', 'oeuf'],
  ['A1PHA', 'alpha'],
  ['CA5H', 'cash'],
  ['be|ow', 'below'],
  ['To0l', 'tool'],
  ['bo00st', 'booost'],
])('%s is looked at as %s', (line, words) => {
  expect(folded(line)).toBe(words);
});
