import { randomBytes } from 'node:crypto';
import { platform } from '@laurel/errors';
import { createTurnstile } from '@laurel/lifecycle';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the costs OWASP asks for at least: 19 MiB, two passes, one lane. */
const COSTS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Beyond this many in line a caller would wait in vain. */
const WAITING_MAX = 200;

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Whether the password is that of `passwordHash`; with null (no user, or no password) the same work
   * is done and the answer is no. `whenDue` runs once it is this caller's turn.
   */
  verify(
    passwordHash: string | null,
    password: string,
    whenDue?: () => Promise<void>,
  ): Promise<boolean>;
}

/** Hashes passwords, so many at a time that logins cannot take the machine. */
export async function createPasswords(concurrency: number): Promise<Passwords> {
  const nobody = await hash(randomBytes(32).toString('hex'), COSTS);
  const among = createTurnstile(concurrency);
  let present = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (present >= concurrency + WAITING_MAX)
      throw platform.serviceUnavailable({ retryAfterSeconds: 2 });
    present += 1;
    try {
      return await among(work);
    } finally {
      present -= 1;
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, COSTS)),
    verify: (passwordHash, password, whenDue) =>
      inTurn(async () => {
        await whenDue?.();
        const isRight = await verify(passwordHash ?? nobody, password);
        return passwordHash !== null && isRight;
      }),
  };
}
