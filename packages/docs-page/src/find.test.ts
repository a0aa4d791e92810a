import { find, type SearchIndex } from './find.ts';

const INDEX: SearchIndex = {
  pages: [
    ['till', 'At the till'],
    ['api/points', 'Points'],
    ['errors', 'Errors'],
  ],
  parts: [
    [0, '', 'At the till', 'a member pays earns points'],
    [0, 'refunds', 'Refunds', 'take points back'],
    [1, 'points.refund', 'Take back what a sale earned', 'points.refund external_id'],
    [2, 'ledger', 'ledger', 'insufficient_balance'],
  ],
};
const addresses = (typed: string) => find(INDEX, typed).map(({ address }) => address);

test('a word in a heading goes before one in the text', () => {
  expect(addresses('back')).toEqual(['/docs/api/points#points.refund', '/docs/till#refunds']);
});

test('what was typed may be the beginning of a word, also behind a dot or an underscore', () => {
  expect(addresses('insuf')).toEqual(['/docs/errors#ledger']);
  expect(addresses('balance')).toEqual(['/docs/errors#ledger']);
  expect(addresses('points.ref')).toEqual(['/docs/api/points#points.refund']);
});

test('the name of an operation is as good as a heading', () => {
  expect(addresses('points.refund')[0]).toBe('/docs/api/points#points.refund');
});

test('every word must be there', () => {
  expect(addresses('refund external')).toEqual(['/docs/api/points#points.refund']);
  expect(addresses('refund banana')).toEqual([]);
});

test.each(['', '  ', '(', '[a-', '\\', '.*'])(
  'what means something else to a search is text here: "%s"',
  (typed) => {
    expect(addresses(typed)).toEqual([]);
  },
);

test('the first part of a page is the page', () => {
  expect(addresses('till')[0]).toBe('/docs/till');
});
