import { randomBytes } from 'node:crypto';

const BARCODE_BYTES = 15;

/** 120 random bits, short enough for a one-dimensional barcode. */
export function randomBarcode(): string {
  return randomBytes(BARCODE_BYTES).toString('base64url');
}
