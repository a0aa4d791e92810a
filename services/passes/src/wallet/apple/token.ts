import { createHmac, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

export type PassTokens = ReturnType<typeof createPassTokens>;

/**
 * The token that a pass carries in pass.json, and that its phone sends with every call about it. Derived from the pass
 * id, so that it never has to be stored. The first key makes it, those of all keys are accepted.
 */
export function createPassTokens(keys: readonly Buffer[]) {
  const digest = (passId: string, key: Buffer) => createHmac('sha256', key).update(passId).digest();

  return {
    tokenOf: (passId: string): string => digest(passId, keys[0]!).toString('base64url'),

    isTokenOf(passId: string, token: string): boolean {
      const given = Buffer.from(token, 'base64url');
      return (
        given.length === TOKEN_BYTES &&
        keys.some((key) => timingSafeEqual(given, digest(passId, key)))
      );
    },
  };
}
