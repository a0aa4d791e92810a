import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromBase64url } from '@laurel/secrets';
import type { LinkedPass } from '../../domain/pass/links';

const TOKEN_BYTES = 32;

export type PassTokens = ReturnType<typeof createPassTokens>;

/**
 * The token that a pass carries in pass.json, and that its phone sends with every call about it. Derived from the pass
 * id and the generation of its links, so that it never has to be stored: where the links are made anew, cards from
 * before are refused. The first key makes it, those of all keys are accepted.
 */
export function createPassTokens(keys: readonly Buffer[]) {
  function digest({ id, link_generation }: LinkedPass, key: Buffer): Buffer {
    const named = link_generation === 0 ? id : `${id}:${link_generation}`;
    return createHmac('sha256', key).update(named).digest();
  }

  return {
    tokenOf: (pass: LinkedPass): string => digest(pass, keys[0]!).toString('base64url'),

    isTokenOf(pass: LinkedPass, token: string): boolean {
      const given = fromBase64url(token);
      return (
        given.length === TOKEN_BYTES &&
        keys.some((key) => timingSafeEqual(given, digest(pass, key)))
      );
    },
  };
}
