import sharp from 'sharp';
import { PIXELS_MAX } from './probe-image';

export interface ImageSize {
  width?: number | undefined;
  height?: number | undefined;
  fit: 'cover' | 'contain';
}

export interface ResizedImage {
  content: Buffer;
  mime_type: string;
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const WHITE = { r: 255, g: 255, b: 255, alpha: 1 };

const PNG_HEAD = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The image as a PNG, the first picture of one that moves; a PNG stays as it is. */
export async function asPng(content: Buffer): Promise<Buffer> {
  if (content.subarray(0, PNG_HEAD.length).equals(PNG_HEAD)) return content;
  return sharp(content, { limitInputPixels: PIXELS_MAX }).autoOrient().png().toBuffer();
}

/** The image in another size and the right way up. A moving GIF becomes a PNG of its first picture. */
export async function resizeImage(
  content: Buffer,
  mimeType: string,
  { width, height, fit }: ImageSize,
): Promise<ResizedImage> {
  const isPhoto = mimeType === 'image/jpeg';
  const resized = sharp(content, { limitInputPixels: PIXELS_MAX })
    .autoOrient()
    .resize({ width, height, fit, background: isPhoto ? WHITE : CLEAR });
  if (isPhoto) return { content: await resized.jpeg().toBuffer(), mime_type: mimeType };
  if (mimeType === 'image/webp')
    return { content: await resized.webp().toBuffer(), mime_type: mimeType };
  return { content: await resized.png().toBuffer(), mime_type: 'image/png' };
}
