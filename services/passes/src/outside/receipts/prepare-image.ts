import { invalidField } from '@laurel/errors';
import sharp from 'sharp';

const BYTES_MAX = 5 * 1024 * 1024;
const PIXELS_MAX = 60_000_000;
/** Narrower images are enlarged, larger ones reduced: letters of some 30 pixels are read best, and fast. */
const WIDTH_MIN = 900;
const WIDTH_MAX = 1_600;
const HEIGHT_MAX = 5_000;

/** The first bytes of the kinds of image that are taken; a name or a declared type proves nothing. */
const KINDS: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)),
  (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12)),
];

/**
 * An image (PNG, JPEG, GIF or WebP) as it is read best: upright, grey, of full contrast, of a size that bounds the time
 * it takes. Refuses what is no such image, is larger than 5 MiB, or unpacks to more than 60 million pixels.
 */
export async function preparedImage(sent: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(sent);
  if (bytes.length > BYTES_MAX || !KINDS.some((isOfKind) => isOfKind(bytes))) throw noImage();
  try {
    const image = sharp(bytes, { limitInputPixels: PIXELS_MAX, pages: 1 }).autoOrient();
    const { autoOrient: size } = await image.metadata();
    const width = Math.min(Math.max(size.width, WIDTH_MIN), WIDTH_MAX);
    return await image
      .resize({ width, height: HEIGHT_MAX, fit: 'inside' })
      .flatten({ background: 'white' })
      .greyscale()
      .normalise()
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch {
    throw noImage();
  }
}

function noImage() {
  return invalidField(
    'file',
    'the file must be an image (PNG, JPEG, GIF or WebP) of at most 5 MiB',
  );
}
