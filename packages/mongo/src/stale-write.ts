import { tryAgain } from '@laurel/lifecycle';
import { isDuplicateKey } from './errors';

/** MongoDB's WriteConflict: `unitOfWork` runs the whole unit again on it. */
const WRITE_CONFLICT = 112;

/** A row changed between being read and being written; who decided on it must decide again. */
export class StaleWrite extends Error {
  override readonly name = 'StaleWrite';
  readonly code = WRITE_CONFLICT;

  constructor(what: string) {
    super(`${what} was changed by somebody else in the meantime`);
  }
}

const TRIES_MAX = 10;

/** Does in one guarded write what needs no transaction; who comes late decides again on what is there by then. */
export const decidingAnew = <T>(decide: () => Promise<T>): Promise<T> =>
  tryAgain({ on: (error) => error instanceof StaleWrite, triesMax: TRIES_MAX }, decide);

/** Somebody else made the same row first: the whole unit decides again. */
export async function orStale<T>(what: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicateKey(error)) throw new StaleWrite(what);
    throw error;
  }
}
