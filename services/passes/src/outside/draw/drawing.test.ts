import { box, drawPng } from './drawing';

/** Two texts of one length look alike only where neither has signs of its own, as with boxes for what is missing. */
test.each([
  ['Japanese', 'こんにちは', 'さようなら'],
  ['Chinese', '你好', '再见'],
  ['Korean', '안녕', '감사'],
  ['Arabic', 'مرحبا', 'شكرا ل'],
  ['emoji', '☕️', '🎁️'],
])('cards are drawn with signs of %s', async (_script, one, other) => {
  const draw = (text: string) =>
    drawPng(box({ fontFamily: 'Inter', fontSize: 20 }, text), { width: 200, height: 40 });
  const [first, second, missing] = await Promise.all([one, other, '\ue000\ue001'].map(draw));
  expect(first!.equals(second!)).toBe(false);
  expect(first!.equals(missing!)).toBe(false);
});
