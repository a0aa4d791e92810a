import fc from 'fast-check';
import { addDays, dayIn, daysOf, endOf, lastDayOf, lastDays, momentOf, spanBefore } from './days';
import { parseDecimal, writeDecimal } from './decimal';
import { createFormat } from './format';

const BEANS = { name: 'Beans', unit_singular_name: 'bean', unit_plural_name: 'beans' };

describe('a number in a field', () => {
  test.each([
    ['12,5', 12.5],
    ['12.5', 12.5],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['1 234,5', 1234.5],
    ['-3', -3],
    ['−3', -3],
    ['+4', 4],
    ['', null],
    ['abc', null],
    ['1,2,3', null],
    ['1.2.3', null],
  ])('is read as it was meant: %s', (text, value) => {
    expect(parseDecimal(text, 'en')).toBe(value);
  });
  test.each([
    ['1,000', 'en', 1000],
    ['12,345,678', 'en-GB', 12345678],
    ['-1,000', 'en', -1000],
    ['0,125', 'en', 0.125],
    ['1,00', 'en', 1],
    ['1.125', 'en', 1.125],
    ['1.000', 'de', 1000],
    ['1,125', 'de', 1.125],
    ['1.000', 'es', 1000],
    ['1.125', 'fr', 1.125],
    ['1,125', 'pl', 1.125],
  ])('has the groups of its reader: %s in %s', (text, locale, value) => {
    expect(parseDecimal(text, locale)).toBe(value);
  });
  test('is read back as it was written, in every language', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000_000, max: 10_000_000 }),
        fc.constantFrom('en', 'de', 'fr', 'es', 'pl'),
        (tenThousandths, locale) => {
          const value = tenThousandths / 10_000;
          expect(parseDecimal(writeDecimal(value, locale), locale)).toBe(value);
        },
      ),
    );
  });
});

describe('an amount', () => {
  test('has the name of its unit in the right number', () => {
    const format = createFormat('en-GB', 'UTC', 'EUR');
    expect(format.units(1, BEANS)).toBe('1 bean');
    expect(format.units(612.5, BEANS)).toBe('612.5 beans');
    expect(format.change(-3, BEANS)).toBe('−3 beans');
    expect(format.units(2, { ...BEANS, unit_plural_name: null })).toBe('2 Beans');
  });
});

describe('a day', () => {
  test('is the day of the workspace, wherever the browser is', () => {
    const late = new Date('2026-05-01T23:30:00Z');
    expect(dayIn('Europe/Berlin', late)).toBe('2026-05-02');
    expect(dayIn('America/New_York', late)).toBe('2026-05-01');
  });
  test.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ])('begins when the clocks of its zone say so: %s in %s', (day, zone, moment) => {
    expect(momentOf(day, zone)).toBe(moment);
  });
  test.each([
    ['2026-03-29', '09:00', 'Europe/Berlin', '2026-03-29T07:00:00.000Z'],
    ['2026-10-25', '09:00', 'Europe/Berlin', '2026-10-25T08:00:00.000Z'],
    ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-09-06', '00:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ])(
    'has its times by the clocks of its zone, also when they are changed: %s %s in %s',
    (day, time, zone, moment) => {
      expect(momentOf(day, zone, time)).toBe(moment);
    },
  );
  test('on which something ends is the last one on which it is good', () => {
    expect(endOf('2026-10-25', 'Europe/Berlin')).toBe('2026-10-25T22:59:59.999Z');
    expect(lastDayOf('2026-10-25T22:59:59.999Z', 'Europe/Berlin')).toBe('2026-10-25');
    // As programs say it, and as it was written before.
    expect(lastDayOf('2026-10-25T23:00:00.000Z', 'Europe/Berlin')).toBe('2026-10-25');
  });
  test('is one of as many as were asked for, and the span before has as many', () => {
    const span = lastDays(7, '2026-03-03');
    expect(daysOf(span)).toHaveLength(7);
    expect(span).toEqual({ from: '2026-02-25', to: '2026-03-03' });
    expect(spanBefore(span)).toEqual({ from: '2026-02-18', to: '2026-02-24' });
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  });
});
