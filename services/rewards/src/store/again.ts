import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '@laurel/mongo';

const ATTEMPTS_MAX = 12;
const PAUSE_MS_MAX = 20;

/**
 * Sends a single write again while the server says that it collided with another and kept nothing of
 * it. MongoDB does so by itself; the local engine leaves it to the caller.
 */
export async function again<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error;
      await pause(Math.random() * PAUSE_MS_MAX);
    }
  }
}
