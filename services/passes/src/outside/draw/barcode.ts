import type { BarcodeType } from '@laurel/contract';
import bwip from 'bwip-js';

const SYMBOLS = { qr: 'qrcode', aztec: 'azteccode', code128: 'code128', pdf417: 'pdf417' } as const;

/** A barcode as PNG, black on white with its quiet zone. */
export function barcodePng(type: Exclude<BarcodeType, 'none'>, value: string): Promise<Buffer> {
  return bwip.toBuffer({
    bcid: SYMBOLS[type],
    text: value,
    scale: 6,
    paddingwidth: 4,
    paddingheight: 4,
    backgroundcolor: 'FFFFFF',
    ...(type === 'qr' ? { eclevel: 'M' } : {}),
    ...(type === 'code128' ? { height: 14 } : {}),
  });
}
