import sharp from 'sharp';

/** What an image comes to at most once it is unpacked; a small file can hold a very large one. */
export const PIXELS_MAX = 40_000_000;

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

export interface ImageFacts {
  mime_type: string;
  width: number;
  height: number;
  /** Whether it must be turned or mirrored to be seen the right way up. */
  is_turned: boolean;
}

/** What an image is by its content, whatever it is called; null for anything but a sound PNG, JPEG, WebP or GIF. */
export async function probeImage(content: Buffer): Promise<ImageFacts | null> {
  if (!isKnownFormat(content)) return null;
  try {
    const image = sharp(content, { limitInputPixels: PIXELS_MAX });
    const { format, width, height, autoOrient, orientation = 1 } = await image.metadata();
    const mimeType = MIME_TYPES[format ?? ''];
    if (mimeType === undefined || !width || !height) return null;
    // Reads it to its end: the head of a file may be sound where the rest is not.
    await image.resize(1, 1).raw().toBuffer();
    return {
      mime_type: mimeType,
      width: autoOrient?.width ?? width,
      height: autoOrient?.height ?? height,
      is_turned: orientation !== 1,
    };
  } catch {
    return null;
  }
}

/** Looks at the first bytes, so that no decoder but these four ever sees what a stranger sent. */
function isKnownFormat(content: Buffer): boolean {
  const head = content.subarray(0, 12).toString('latin1');
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    head.startsWith('\xff\xd8\xff') ||
    head.startsWith('GIF87a') ||
    head.startsWith('GIF89a') ||
    (head.startsWith('RIFF') && head.slice(8) === 'WEBP')
  );
}
