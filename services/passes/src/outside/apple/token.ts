import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromBase64url } from '@laurel/secrets';
import type { LinkedPass } from '../../domain/pass/links';

const TOKEN_BYTES = 32;
/** Phones with a card of so many generations before get the empty one. */
const FORMER_MAX = 10;

export type PassTokens = ReturnType<typeof createPassTokens>;

/**
 * The token that a pass carries in pass.json, and that its phone sends with every call about it. Derived from the pass
 * id and the generation of its links, so that it never has to be stored: where the links are made anew, cards from
 * before get the empty card, and are refused else. The first key makes it, those of all keys are accepted.
 */
export function createPassTokens(keys: readonly Buffer[]) {
  function digest({ id, link_generation }: LinkedPass, key: Buffer): Buffer {
    const named = link_generation === 0 ? id : `${id}:${link_generation}`;
    return createHmac('sha256', key).update(named).digest();
  }

  function isTokenOf(pass: LinkedPass, token: string): boolean {
    const given = fromBase64url(token);
    return (
      given.length === TOKEN_BYTES && keys.some((key) => timingSafeEqual(given, digest(pass, key)))
    );
  }

  return {
    tokenOf: (pass: LinkedPass): string => digest(pass, keys[0]!).toString('base64url'),

    isTokenOf,

    /** Of which generation the card is that carries the token; null where it is none of the pass, or too old a one. */
    generationOf({ id, link_generation: newest }: LinkedPass, token: string): number | null {
      for (let link_generation = newest; link_generation >= 0; link_generation -= 1) {
        if (newest - link_generation > FORMER_MAX) return null;
        if (isTokenOf({ id, link_generation }, token)) return link_generation;
      }
      return null;
    },
  };
}
