import { setTimeout as pause } from 'node:timers/promises';
import { answerBy } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import type { Process } from '../store/processes';
import { CLAIM_MS, isSettling, runProcess } from './run-process';

const LOOK_MS = 200;
const PATIENCE_MS = 9_000;
/** What is left of the caller's time for the answer. */
const ANSWER_MS = 1_000;

/**
 * Resolves when everything but the settling of a process is done, by this caller or by another who is at it: two at the
 * same process would only hold each other up. Throws what a step threw, and when the caller can wait no longer.
 */
export async function finishProcess(deps: Deps, process: Process): Promise<void> {
  const { processes, clock } = deps;
  const until = Math.min(Date.now() + PATIENCE_MS, answerBy(ANSWER_MS));
  for (;;) {
    const current = await processes.find(process);
    if (!current || current.finishedAt || isSettling(current)) return;
    const mine = await processes.takeUp(current, clock.now(), CLAIM_MS);
    if (mine) return runProcess(deps, mine);
    if (Date.now() + LOOK_MS > until) throw new Error('another is still at it');
    await pause(LOOK_MS);
  }
}
