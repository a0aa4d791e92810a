import fc from 'fast-check';
import { contrast, READABLE, readableOn } from './contrast';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the colours of a card', () => {
  test('stand apart as WCAG reckons', () => {
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
    expect(contrast('#1b6b4c', '#1b6b4c')).toBe(1);
  });
  test('that are proposed can be read on any ground', () => {
    fc.assert(
      fc.property(colour, colour, (ground, text) => {
        expect(contrast(ground, readableOn(ground, text))).toBeGreaterThanOrEqual(READABLE);
      }),
    );
  });
  test('that can be read already stay as they are', () => {
    expect(readableOn('#1b6b4c', '#ffffff')).toBe('#ffffff');
  });
});
