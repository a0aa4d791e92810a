import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const PURPOSE = 'laurel apple pass tokens';
const KEY_BYTES = 32;

export type PassTokens = ReturnType<typeof createPassTokens>;

/**
 * The token that a pass carries in pass.json, and that its phone sends with every call about it. Derived from the pass
 * id, so that it never has to be stored and stays the same for as long as the secret does.
 */
export function createPassTokens(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
  const digest = (passId: string) => createHmac('sha256', key).update(passId).digest();

  return {
    tokenOf: (passId: string): string => digest(passId).toString('base64url'),

    isTokenOf(passId: string, token: string): boolean {
      const given = Buffer.from(token, 'base64url');
      return given.length === KEY_BYTES && timingSafeEqual(given, digest(passId));
    },
  };
}
