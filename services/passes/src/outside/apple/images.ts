import sharp from 'sharp';
import type { PassFiles } from './bundle';

interface Place {
  name: string;
  /** In points; a phone takes the file with as many pixels per point as its screen has. */
  width: number;
  height: number;
  fit: 'cover' | 'inside';
}

export const ICON: Place = { name: 'icon', width: 29, height: 29, fit: 'cover' };
export const LOGO: Place = { name: 'logo', width: 160, height: 50, fit: 'inside' };
export const STRIP: Place = { name: 'strip', width: 375, height: 144, fit: 'cover' };
/** Tickets have less room for it than other passes. */
export const TICKET_STRIP: Place = { ...STRIP, height: 98 };
export const THUMBNAIL: Place = { name: 'thumbnail', width: 90, height: 90, fit: 'inside' };
const SCALES = [1, 2, 3];

/** One picture of a pass in every size that phones ask for, e.g. icon.png, icon@2x.png, icon@3x.png. */
export async function pictureFiles(image: Buffer, place: Place): Promise<PassFiles> {
  const files = await Promise.all(
    SCALES.map(async (scale) => {
      const name = scale === 1 ? `${place.name}.png` : `${place.name}@${scale}x.png`;
      const size = { width: place.width * scale, height: place.height * scale, fit: place.fit };
      return [name, await sharp(image).autoOrient().resize(size).png().toBuffer()] as const;
    }),
  );
  return Object.fromEntries(files);
}
