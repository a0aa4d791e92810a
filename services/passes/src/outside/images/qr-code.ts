import bwip from 'bwip-js';
import sharp from 'sharp';

/** A QR code as a drawing of `size` pixels a side, black on white with its quiet zone; sharp in print at any size. */
export function qrSvg(value: string, size: number): string {
  const drawn = bwip.toSVG({
    bcid: 'qrcode',
    text: value,
    scale: 1,
    paddingwidth: 4,
    paddingheight: 4,
    backgroundcolor: 'FFFFFF',
    ...{ eclevel: 'Q' },
  });
  const measures = `width="${size}" height="${size}" shape-rendering="crispEdges"`;
  return drawn.replace('<svg ', `<svg ${measures} `);
}

/** The same as a picture. */
export function qrPng(value: string, size: number): Promise<Buffer> {
  const drawn = Buffer.from(qrSvg(value, size));
  return sharp(drawn).resize(size, size, { kernel: 'nearest' }).png().toBuffer();
}
