// A1 to A3, P1: what must be true of a platform that is left alone again.
import { finding } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */

const READY_MS_MAX = 20_000;
const DRAINED_MS_MAX = 60_000;

/**
 * A1: once faults stop every process is ready within 20 s, and from then on every request succeeds at once.
 *
 * @param {World} world
 */
export function calmIsAvailable({ run }) {
  const found = finding();
  for (const { begins, readyAfterMs, attempts, failures } of run.calms) {
    const when = `in the calm from ${Math.round(begins / 1000)} s on`;
    found.must(
      readyAfterMs !== null && readyAfterMs <= READY_MS_MAX,
      () => `${when} not everything was ready after ${readyAfterMs} ms`,
    );
    found.must(attempts > 0, () => `${when} nothing was asked`);
    found.checked += attempts;
    found.must(failures === 0, () => `${when} ${failures} of ${attempts} attempts failed`);
  }
  return found;
}

/**
 * A2: within 60 s of the last request every outbox, queue and delivery is through, and no outcome stays open but
 * those whose client walked away.
 *
 * @param {World} world
 */
export function everythingDrains({ run, history }) {
  const found = finding();
  found.must(run.drainedAfterMs <= DRAINED_MS_MAX, () => `drained after ${run.drainedAfterMs} ms`);
  for (const { id, kind, outcome, attempts } of history)
    found.must(
      outcome !== 'unknown' || attempts === 1,
      () => `${kind} ${id} has no outcome after ${attempts} attempts`,
    );
  return found;
}

/**
 * A3: whatever is dead, nobody is told of a fault of ours: an answer is a result, a definite no, or 503.
 *
 * @param {World} world
 */
export function faultsAreNotAnswers({ run }) {
  const found = finding();
  for (const [status, count] of Object.entries(run.answers)) {
    found.checked += count;
    found.must(
      Number(status) < 500 || status === '503',
      () => `${count} attempts were answered ${status}`,
    );
  }
  return found;
}

/**
 * P1: the platform's own verification, asked over HTTP, finds the same: every entry, no problem.
 *
 * @param {World} world
 */
export function platformAgrees({ run, entries }) {
  const found = finding();
  const counted = run.verified.reduce((sum, one) => sum + one.entries, 0);
  found.must(
    run.verified.every(({ valid, problems }) => valid && problems === 0),
    () => `points/verify reports problems: ${JSON.stringify(run.verified)}`,
  );
  found.must(
    counted === entries.length,
    () => `points/verify saw ${counted} of ${entries.length} entries`,
  );
  return found;
}
