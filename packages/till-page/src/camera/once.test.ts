import { createOnce } from './once';

test('a card before the camera is news once, however the hand trembles', () => {
  const isNews = createOnce();
  const seen = ['a', 'a', null, 'a', null, null, 'a'].map((code, index) =>
    isNews(code, index * 200),
  );
  expect(seen).toEqual([true, false, false, false, false, false, false]);
});

test('a card that was taken away is news again: the first look may have failed', () => {
  const isNews = createOnce();
  expect(isNews('a', 0)).toBe(true);
  expect(isNews(null, 1_000)).toBe(false);
  expect(isNews('a', 2_000)).toBe(true);
  expect(isNews('b', 2_100)).toBe(true);
  expect(isNews('a', 2_200)).toBe(true);
});
