import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Life of a code that is sent to somebody (part 3, sections 2.1 and 9). */
export const CODE_LIFE_MS = 10 * 60_000;

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/**
 * A code as it is stored: keyed, and bound to what it opens (`pairing:<user id>`), so that equal codes do
 * not look alike and one of them opens nothing else.
 */
export function digestCode(key: string, opens: string, code: string): string {
  return createHmac('sha256', key).update(`${opens}:${code}`).digest('hex');
}

export function isSameDigest(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
}
