import { isDuplicateKey } from './errors';

/** More than one collision in a row is rare. */
const ATTEMPTS_MAX = 5;

/**
 * Runs a unit of work again when it collided with a unique index: what somebody else wrote in the same
 * moment is seen by the next attempt.
 */
export async function retryingCollisions<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
