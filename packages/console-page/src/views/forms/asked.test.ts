import { ofKind, questionAbout } from './asked';

const SHOP = { name: 'shop', label: 'Shop', type: 'select', options: ['Harbour', 'Station'] };

test('a question about a field with choices brings them, and one of another kind has none', () => {
  expect(questionAbout(SHOP)).toEqual({ ...SHOP, required: false });
  expect(questionAbout({ ...SHOP, type: 'text' }).options).toEqual([]);
  expect({ ...questionAbout(SHOP), ...ofKind('text') }).toMatchObject({
    type: 'text',
    options: [],
  });
  expect({ ...questionAbout(SHOP), ...ofKind('select') }.options).toEqual(SHOP.options);
});
