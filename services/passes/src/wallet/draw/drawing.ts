import { readFileSync } from 'node:fs';
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

export function box(
  style: Record<string, string | number>,
  ...children: (Box | string | null)[]
): Box {
  const shown = children.filter((child) => child !== null);
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

/** Draws boxes as a PNG, two pixels a point. Brings its own font: a server may have none. */
export async function drawPng(
  content: Box,
  { width, height }: { width: number; height?: number },
): Promise<Buffer> {
  const svg = await satori(content as Parameters<typeof satori>[0], {
    width,
    ...(height === undefined ? {} : { height }),
    fonts: fonts(),
  });
  return sharp(Buffer.from(svg), { density: 144 }).png().toBuffer();
}

let loaded: { name: string; data: Buffer; weight: 400 | 600; style: 'normal' }[] | undefined;

function fonts() {
  loaded ??= WEIGHTS.map(([weight, file]) => ({
    name: FAMILY,
    data: readFileSync(require.resolve(file)),
    weight,
    style: 'normal',
  }));
  return loaded;
}
