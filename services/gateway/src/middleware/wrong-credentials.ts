import { platform, Refusal } from '@laurel/errors';
import type { Response } from 'express';
import type { RateLimits } from './rate-limit';

const KNOWN_MAX = 20_000;
const KNOWN_MS = 10 * 60_000;
const BLOCKED_MAX = 100_000;

export interface Presented {
  /** The address as limits count it. */
  ip: string;
  /** Stands for the credential, e.g. its digest; never the secret itself. */
  credential: string;
  response: Response;
  /** Its signature is ours, so that it is no guess whatever has become of it since. */
  isSigned?: boolean;
}

export interface WrongCredentials {
  /** Whether the credential was right a while ago: its calls are counted on it, not on the address. */
  knows(credential: string): boolean;
  /** Notes that a credential was right. */
  remember(credential: string): void;
  /** Throws where the address may try no further credential now. It costs no call to anything. */
  refuseBlocked(ip: string): void;
  /** The error to throw for a credential that turned out wrong: counts it, if it is one. */
  counted(error: unknown, ip: string, response: Response): Promise<unknown>;
  /**
   * Asks what a credential is worth. From an address beyond its limit only those are asked about that were right
   * before, or that we signed: a shop keeps working, and signs in, while something beside it guesses.
   */
  prove<T>(
    presented: Presented,
    ask: () => Promise<T>,
    isWrong?: (refusal: Refusal) => boolean,
  ): Promise<T>;
}

/**
 * Wrong credentials of every kind are counted by address, RATE_LIMIT_WRONG_CREDENTIAL_PER_MINUTE (part 4, sections 1
 * and 12). What is presented never has a bucket of its own: there are as many guesses as there are numbers.
 */
export function createWrongCredentials(
  limits: RateLimits,
  now: () => number = Date.now,
): WrongCredentials {
  const known = new Lasting(KNOWN_MAX);
  const blocked = new Lasting(BLOCKED_MAX);

  const self: WrongCredentials = {
    knows: (credential) => known.msLeft(credential, now()) > 0,

    remember: (credential) => known.put(credential, now() + KNOWN_MS),

    refuseBlocked(ip) {
      const msLeft = blocked.msLeft(ip, now());
      if (msLeft <= 0) return;
      throw platform.rateLimited({ retryAfterSeconds: Math.ceil(msLeft / 1_000) });
    },

    async counted(error, ip, response) {
      if (!(error instanceof Refusal) || !isWrongToken(error)) return error;
      try {
        self.refuseBlocked(ip);
        await limits.consume('WRONG_CREDENTIAL', ip, response);
        return error;
      } catch (refusal) {
        const seconds = refusal instanceof Refusal ? refusal.retryAfterSeconds : undefined;
        if (seconds !== undefined) blocked.put(ip, now() + seconds * 1_000);
        return refusal;
      }
    },

    async prove({ ip, credential, response, isSigned }, ask, isWrong = isWrongToken) {
      if (!isSigned && !self.knows(credential)) self.refuseBlocked(ip);
      try {
        const worth = await ask();
        self.remember(credential);
        return worth;
      } catch (error) {
        if (!(error instanceof Refusal) || !isWrong(error)) throw error;
        known.delete(credential);
        const counted = await self.counted(platform.invalidToken(), ip, response);
        throw counted instanceof Refusal && counted.httpStatus === 429 ? counted : error;
      }
    },
  };
  return self;
}

/** A session that has merely expired was right once, and is no guess. */
function isWrongToken({ httpStatus, code }: Refusal): boolean {
  return httpStatus === 401 && code !== 'TOKEN_EXPIRED';
}

/** What holds for a while of each key; beyond so many keys the one that was put first goes. */
class Lasting {
  private readonly until = new Map<string, number>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  put(key: string, until: number): void {
    this.until.delete(key);
    if (this.until.size >= this.most) this.until.delete(this.until.keys().next().value!);
    this.until.set(key, until);
  }

  msLeft(key: string, now: number): number {
    return (this.until.get(key) ?? 0) - now;
  }

  delete(key: string): void {
    this.until.delete(key);
  }
}
