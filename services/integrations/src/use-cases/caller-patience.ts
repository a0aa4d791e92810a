import { currentContext } from '@laurel/lifecycle';

/** Kept back of the caller's patience, so that a slow system is reported and not our own timeout. */
const ANSWER_MS = 1_000;
const PATIENCE_MS_MIN = 500;
const CALLER_MS_MAX = 10_000;

/** How long somebody who waits for an answer can be kept waiting for another system's, in milliseconds. */
export function callerPatienceMs(): number {
  const left = (currentContext().deadlineAt ?? Date.now() + CALLER_MS_MAX) - Date.now();
  return Math.max(left - ANSWER_MS, PATIENCE_MS_MIN);
}
