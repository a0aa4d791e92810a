import { balanceOf, fieldOf, TIER } from '@laurel/page-kit/placeholders';
import { withSamples } from './placeholders';

test('what the designer puts in is what a card is filled with, each in its own braces', () => {
  // As part 2 of the spec writes them; the platform fills a balance in double braces with nothing.
  expect([balanceOf('beans'), TIER, fieldOf('first_name')]).toEqual([
    ['$', '{wallet:beans.points}'].join(''),
    ['$', '{loyalty.tier}'].join(''),
    '{{first_name}}',
  ]);
  const text = `${fieldOf('first_name')}: ${balanceOf('beans')} (${TIER})`;
  expect(withSamples(text)).toBe('Frieda: 120 (Gold)');
});

test('a balance in the wrong braces is drawn as the phones show it: not at all', () => {
  expect(withSamples('{{wallet:beans.points}}')).toBe('');
});
