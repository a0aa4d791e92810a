import { createHmac, randomBytes } from 'node:crypto';

/** 256 bits of chance. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url');

/** What is stored with a used token, and is worth nothing without the token itself, which is stored nowhere. */
export const newSuccessorSeed = (): string => randomBytes(32).toString('base64url');

/**
 * The token that follows on one. It is worked out and not drawn, so that the holder of a used token can be answered
 * with the same successor again, although only digests are kept.
 */
export function successorOf(token: string, seed: string): string {
  return createHmac('sha256', token).update(seed).digest('base64url');
}
