import { contrast } from './colour';
import { paletteOf, themeStylesheet } from './theme';

const COLOURS = [
  '#1f6f54',
  '#ffd400',
  '#ffffff',
  '#000000',
  '#e0533d',
  '#7f7f7f',
  '#777777',
  '#6e6e6e',
  '#00965a',
  '#0044ff',
  '#ffe4e1',
];
const pairs = COLOURS.flatMap((primary) => COLOURS.map((ground) => [primary, ground] as const));

test.each(pairs)('%s on %s leaves everything readable', (primary, ground) => {
  const palette = paletteOf(primary, ground);
  const texts: [string, string][] = [
    ['ink', 'bg'],
    ['ink', 'surface'],
    ['muted', 'bg'],
    ['muted', 'surface'],
    ['accent-ink', 'bg'],
    ['accent-ink', 'surface'],
    ['accent-ink', 'accent-soft'],
    ['on-accent', 'accent'],
    ['bad-ink', 'surface'],
    ['on-bad', 'bad'],
  ];
  for (const [text, on] of texts) {
    const reached = contrast(palette[text]!, palette[on]!);
    expect([text, on, reached >= 4.5]).toEqual([text, on, true]);
  }
});

test('a colour that can be read stays what the shop chose', () => {
  const palette = paletteOf('#1f6f54', '#ffffff');
  expect([palette.accent, palette['accent-ink']]).toEqual(['#1f6f54', '#1f6f54']);
  expect(paletteOf('#ffd400', '#ffffff').accent).toBe('#ffd400');
});

test('a light page has a night form, a dark one is as it is', () => {
  const light = { primary_color: '#1F6F54', background_color: '#F6F7F4' };
  expect(themeStylesheet(light)).toContain('prefers-color-scheme:dark');
  expect(themeStylesheet({ ...light, background_color: '#101010' })).not.toContain('@media');
});

test.each([
  ['#00cc66', 'light'],
  ['#777777', 'light'],
  ['#6e6e6e', 'dark'],
])('what the browser draws on %s is %s, as the text is', (ground, scheme) => {
  const style = themeStylesheet({ primary_color: '#1f6f54', background_color: ground });
  expect(style).toContain(`color-scheme:${scheme};`);
});
