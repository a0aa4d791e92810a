import { originsOf } from './origins';

test('pages are taken as somebody copies them out of a browser', () => {
  expect(originsOf('https://www.shop.example/join?x=1#y, shop.example')).toEqual([
    'https://www.shop.example',
    'https://shop.example',
  ]);
  expect(originsOf('HTTP://Localhost:3000/\nhttps://*.shop.example')).toEqual([
    'http://localhost:3000',
    'https://*.shop.example',
  ]);
});

test('any page stays any page, and nothing is nothing', () => {
  expect(originsOf(' * ')).toEqual(['*']);
  expect(originsOf(' , ')).toEqual([]);
});
