import { tryAgain } from '@laurel/lifecycle';
import { isDuplicateKey } from './errors';

/** More than one collision in a row is rare. */
const TRIES_MAX = 5;

/**
 * Runs a unit of work again when it collided with a unique index: what somebody else wrote in the same
 * moment is seen by the next try.
 */
export const retryingCollisions = <T>(write: () => Promise<T>): Promise<T> =>
  tryAgain({ on: isDuplicateKey, triesMax: TRIES_MAX }, write);
