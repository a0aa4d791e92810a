import { isDuplicateKey } from '@laurel/mongo';
import { refusals } from '../refusals';

/** Runs `write`; a collision on the unique index of addresses becomes the refusal that callers know. */
export async function refusingTakenEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) throw refusals.emailTaken({ field: 'email' });
    throw error;
  }
}
