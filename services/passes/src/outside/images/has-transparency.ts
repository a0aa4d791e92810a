import sharp from 'sharp';
import { PIXELS_MAX } from './probe-image';

/** Whether any pixel of an image lets through what is below it. */
export async function hasTransparency(content: Buffer): Promise<boolean> {
  const image = sharp(content, { limitInputPixels: PIXELS_MAX });
  const { hasAlpha } = await image.metadata();
  return hasAlpha ? !(await image.stats()).isOpaque : false;
}
