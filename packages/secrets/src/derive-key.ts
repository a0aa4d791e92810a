import { hkdfSync } from 'node:crypto';

/** Of every key that is derived, as AES-256 and HMAC-SHA-256 want it. */
export const KEY_BYTES = 32;

/**
 * A key that follows from a secret (HKDF with SHA-256) and gives nothing of it away. What is of another purpose, or of another
 * salt, has another key.
 */
export function deriveKey(
  secret: string,
  { salt = '', purpose }: { salt?: string; purpose: string },
): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, purpose, KEY_BYTES));
}
