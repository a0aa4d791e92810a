import sharp from 'sharp';
import { stripMetadata } from '../../domain/file/strip-metadata';
import { type ImageFacts, PIXELS_MAX, probeImage } from './probe-image';

const QUALITY = 92;

export interface CleanImage extends ImageFacts {
  content: Buffer;
}

/**
 * An image without place, camera, comments and whatever else it says of people (part 4, section 10), the right way up;
 * null for anything but a sound PNG, JPEG, WebP or GIF. It is drawn anew only where it has to be turned; what moves and
 * lies on its side becomes its first picture.
 */
export async function cleanImage(content: Buffer): Promise<CleanImage | null> {
  const facts = await probeImage(content);
  if (!facts) return null;
  const { mime_type: mimeType } = facts;
  if (!facts.is_turned) {
    const stripped = stripMetadata(content, mimeType);
    // What was cut wrongly is no sound image any more.
    const after = stripped && (await probeImage(stripped));
    if (after && after.mime_type === mimeType) return { ...after, content: stripped };
  }
  const redrawn = await redraw(content, facts);
  const after = redrawn && (await probeImage(redrawn));
  return after && { ...after, content: redrawn };
}

/** Null where it cannot be drawn: the pictures of one that moves may come to more than an image may. */
async function redraw(
  content: Buffer,
  { mime_type: mimeType, is_turned: isTurned }: ImageFacts,
): Promise<Buffer | null> {
  // Pictures that move are drawn as one below the other, which cannot be turned.
  const isMoving = !isTurned && (mimeType === 'image/gif' || mimeType === 'image/webp');
  const image = sharp(content, { limitInputPixels: PIXELS_MAX, animated: isMoving }).autoOrient();
  try {
    return await encoded(image, mimeType).toBuffer();
  } catch {
    return null;
  }
}

function encoded(image: sharp.Sharp, mimeType: string): sharp.Sharp {
  switch (mimeType) {
    case 'image/jpeg':
      return image.jpeg({ quality: QUALITY });
    case 'image/webp':
      return image.webp({ quality: QUALITY });
    case 'image/gif':
      return image.gif();
    default:
      return image.png();
  }
}
