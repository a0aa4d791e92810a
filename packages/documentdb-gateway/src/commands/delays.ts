import { setTimeout as pause } from 'node:timers/promises';

/** Most are not held back, so that those who are come after what was asked later. */
const SHARE = 0.4;

/** Whether and how long the next command is held back. */
export type Delay = () => Promise<void> | undefined;

/**
 * Holds commands back at random, so that what was asked at once is answered in any order: on an idle machine the order is nearly
 * always the same one, and what hangs on it fails on a busy one.
 */
export function createDelay(msMax: number, random: () => number = Math.random): Delay {
  return () => (msMax > 0 && random() < SHARE ? pause(random() * msMax) : undefined);
}
