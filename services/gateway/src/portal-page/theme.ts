import { luminanceOf } from '@laurel/contract';
import { clearest, contrast, legible, mix } from './colour';

const LIGHT_INK = '#f5f8f6';
const DARK_INK = '#17201c';
const NIGHT = '#101412';
const BAD = '#b3261e';
/** WCAG 2 AA: text, and shapes that have to stand out from their ground. */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
/** A fill carries its own text and only has to differ from the ground at all: a yellow shop stays yellow. */
const FILL_CONTRAST = 1.25;
const TINTS = [0.14, 0.09, 0.05];
const LIFTS = [0.07, 0.04, 0.02];
/** From here on a background counts as light, and gets a night form. */
const LIGHT = 0.6;

export interface Colours {
  primary_color: string;
  background_color: string;
}

/**
 * The colours of the page from the two that the shop chose. Whatever these are, text stays readable; a light
 * page turns dark where a device asks for it, a dark one stays as it is.
 */
export function themeStylesheet({ primary_color, background_color }: Colours): string {
  const day = block(primary_color, background_color);
  if (luminanceOf(background_color) < LIGHT) return `:root{${day}}`;
  const night = block(primary_color, mix(primary_color, NIGHT, 0.03));
  return `:root{${day}}@media (prefers-color-scheme:dark){:root{${night}}}`;
}

function block(primary: string, ground: string): string {
  const scheme = extremeOn(ground) === '#ffffff' ? 'dark' : 'light';
  const variables = Object.entries(paletteOf(primary, ground)).map(
    ([name, value]) => `--${name}:${value}`,
  );
  return [`color-scheme:${scheme}`, ...variables].join(';');
}

/** Named colours of the page on one ground. */
export function paletteOf(primary: string, ground: string): Record<string, string> {
  const extreme = extremeOn(ground);
  const isDark = extreme === '#ffffff';
  const surface = isDark
    ? tint('#ffffff', ground, { text: extreme, shares: LIFTS })
    : mix('#ffffff', ground, 0.8);
  const text = { least: TEXT_CONTRAST, extreme };
  const ink = legible(isDark ? LIGHT_INK : DARK_INK, { on: [ground, surface], ...text });
  const accent = legible(primary, { on: [surface], least: FILL_CONTRAST, extreme });
  const accentSoft = tint(accent, surface, { text: extreme, shares: TINTS });
  const bad = legible(BAD, { on: [surface], least: SHAPE_CONTRAST, extreme });
  const onAccent = clearest(['#ffffff', '#000000'], accent);
  return {
    bg: ground,
    surface,
    ink,
    muted: legible(mix(ink, surface, 0.62), { on: [ground, surface], ...text }),
    line: mix(ink, surface, 0.12),
    'line-strong': legible(mix(ink, surface, 0.4), {
      on: [surface],
      least: SHAPE_CONTRAST,
      extreme,
    }),
    accent,
    'on-accent': onAccent,
    'accent-soft': accentSoft,
    'accent-ink': legible(primary, { on: [ground, surface, accentSoft], ...text }),
    // Only ever away from the text, so that it stays as readable at every place of the card.
    sheen:
      onAccent === '#ffffff'
        ? 'transparent, rgb(0 0 0 / 22%)'
        : 'rgb(255 255 255 / 28%), transparent',
    bad,
    'on-bad': clearest(['#ffffff', '#000000'], bad),
    'bad-soft': tint(BAD, surface, { text: extreme, shares: TINTS }),
    'bad-ink': legible(BAD, { on: [ground, surface], ...text }),
  };
}

/** Of black and white the one that is read better there: on any ground it reaches 4.5. */
const extremeOn = (ground: string): string => clearest(['#ffffff', '#000000'], ground);

/** The ground with as much of the colour as leaves text on it readable. */
function tint(
  colour: string,
  ground: string,
  { text, shares }: { text: string; shares: readonly number[] },
): string {
  const tints = shares.map((share) => mix(colour, ground, share));
  return tints.find((each) => contrast(text, each) >= TEXT_CONTRAST) ?? ground;
}
