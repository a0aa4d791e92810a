import { readFileSync } from 'node:fs';
import { renderAsync } from '@resvg/resvg-js';
import satori from 'satori';
import sharp from 'sharp';

/** An element of a drawing: a box with styles as CSS has them, laid out by flexbox. */
export interface Box {
  type: 'div' | 'img';
  props: {
    style?: Record<string, string | number>;
    src?: string;
    width?: number;
    height?: number;
    children?: Box | string | (Box | string)[];
  };
}

/** Asks for the coloured form of a sign, which no font of ours has. */
const EMOJI_STYLE = '\ufe0f';

export function box(
  style: Record<string, string | number>,
  ...children: (Box | string | null)[]
): Box {
  const shown = children
    .filter((child) => child !== null)
    .map((child) => (typeof child === 'string' ? child.replaceAll(EMOJI_STYLE, '') : child));
  return { type: 'div', props: { style: { display: 'flex', ...style }, children: shown } };
}

export function picture(image: Buffer, style: Record<string, string | number>): Box {
  return {
    type: 'img',
    props: { src: `data:image/png;base64,${image.toString('base64')}`, style },
  };
}

const FAMILY = 'Inter';
const WEIGHTS = [
  [400, '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'],
  [600, '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'],
] as const;

/** Pixels a point. */
const SCALE = 2;

/** Draws boxes as a PNG, two pixels a point. Brings its own fonts: a server may have none. */
export async function drawPng(
  content: Box,
  { width, height }: { width: number; height?: number },
): Promise<Buffer> {
  const svg = await satori(content as Parameters<typeof satori>[0], {
    width,
    ...(height === undefined ? {} : { height }),
    fonts: fontsFor(textOf(content)),
  });
  // resvg knows what satori writes, masks above all, and draws it in a quarter of the time that librsvg takes.
  const drawn = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: SCALE },
    font: { loadSystemFonts: false },
  });
  // Packed by sharp, because resvg would do that on the thread that everybody waits for.
  const raw = { width: drawn.width, height: drawn.height, channels: 4 } as const;
  return sharp(drawn.pixels, { raw }).png().toBuffer();
}

interface Font {
  name: string;
  data: Buffer;
  weight: 400 | 600;
  style: 'normal';
}

/** Fonts of scripts that Inter does not have, read when a card first needs them: they are megabytes each. */
const SCRIPTS = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'noto-sans-jp/files/noto-sans-jp-japanese'],
  [/\p{Script=Han}/u, 'noto-sans-sc/files/noto-sans-sc-chinese-simplified'],
  [/\p{Script=Hangul}/u, 'noto-sans-kr/files/noto-sans-kr-korean'],
  [/\p{Script=Arabic}/u, 'noto-sans-arabic/files/noto-sans-arabic-arabic'],
  [/\p{Extended_Pictographic}/u, 'noto-emoji/files/noto-emoji-emoji'],
] as const;

let latin: Font[] | undefined;
/** One list for each set of scripts: the drawing library keeps what it parsed of a list by the list itself. */
const lists = new Map<string, Font[]>();

function fontsFor(text: string): Font[] {
  const files = SCRIPTS.filter(([script]) => script.test(text)).map(([, file]) => file);
  const name = files.join();
  const list = lists.get(name) ?? [...latinFonts(), ...files.map(scriptFont)];
  lists.set(name, list);
  return list;
}

function latinFonts(): Font[] {
  latin ??= WEIGHTS.map(([weight, file]) => fontOf(FAMILY, file, weight));
  return latin;
}

const scriptFont = (file: string): Font => fontOf(file, `@fontsource/${file}-400-normal.woff`, 400);

function fontOf(name: string, file: string, weight: 400 | 600): Font {
  return { name, data: readFileSync(require.resolve(file)), weight, style: 'normal' };
}

function textOf(part: Box | string): string {
  if (typeof part === 'string') return part;
  const { children = [] } = part.props;
  return (Array.isArray(children) ? children : [children]).map(textOf).join(' ');
}
