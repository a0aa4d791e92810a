import { platform } from './platform';
import { Refusal } from './refusal';

const FIELD = 'Idempotency-Key';

/** The refusal of another body under a key that was used (part 3, section 1.3). */
export function usedKey(): Refusal {
  return platform.conflict({
    message: 'this Idempotency-Key was used with another body',
    field: FIELD,
  });
}

/** Whether a refusal is about the key itself: then nothing of what was asked is decided by it. */
export function isAboutKey(error: unknown): boolean {
  return error instanceof Refusal && error.problems.some(({ field }) => field === FIELD);
}
