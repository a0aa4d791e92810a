// A1 to A3, P1: what must be true of a platform that is left alone again.
import { finding } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */

const DRAINED_MS_MAX = 60_000;

/** A slow machine may cut off one attempt in so many; who asks again then is answered. */
const FAILURES_SHARE_MAX = 0.05;

/**
 * A1: once faults stop, every process gets ready without anybody's help and stays; and from then on no request fails
 * twice, and few of them once.
 *
 * @param {World} world
 */
export function calmIsAvailable({ run }) {
  const found = finding();
  for (const { begins, readyAfterMs, lacking, attempts, failed, repeated, died } of run.calms) {
    const when = `in the calm from ${Math.round(begins / 1000)} s on`;
    found.must(
      readyAfterMs !== null,
      () => `${when} not everything got ready: ${lacking.join('; ')}`,
    );
    found.must(died.length === 0, () => `${when} ${died.join(', ')} died by themselves`);
    found.must(attempts > 0, () => `${when} nothing was asked`);
    found.checked += attempts;
    found.must(repeated === 0, () => `${when} ${repeated} requests failed more than once`);
    found.must(
      failed.length <= attempts * FAILURES_SHARE_MAX,
      () =>
        `${when} ${failed.length} of ${attempts} attempts failed:\n    ${failed.join('\n    ')}`,
    );
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

/** All callers here have every right, and no limit is near. */
const NEVER = new Set(['401', '403', '429']);

/**
 * A3: whatever is dead, no answer speaks of a fault of ours: it is a result, a definite no for a reason of
 * theirs, or 503.
 *
 * @param {World} world
 */
export function faultsAreNotAnswers({ run }) {
  const found = finding();
  for (const [status, count] of Object.entries(run.answers)) {
    found.checked += count;
    found.must(
      status === '503' || (Number(status) < 500 && !NEVER.has(status)),
      () => `${count} attempts were answered ${status}`,
    );
  }
  return found;
}

/**
 * P1: the platform's own verification, asked over HTTP, finds the same: every entry, no problem; and so does the stand-alone
 * verifier, which reads the exports.
 *
 * @param {World} world
 */
export function platformAgrees({ run, entries }) {
  const found = finding();
  const counted = run.verified.reduce((sum, one) => sum + one.entries, 0);
  found.must(
    run.verified.every(({ valid, problems }) => valid && problems === 0),
    () => `problems are reported: ${JSON.stringify(run.verified)}`,
  );
  found.must(
    counted === entries.length,
    () => `points/verify saw ${counted} of ${entries.length} entries`,
  );
  return found;
}
