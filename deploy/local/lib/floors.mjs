// A run that proves nothing is red: how much each stage must have tried, and what that makes of a run.

/**
 * What a stage came to. `skipped` are tests that were there and did not run, each as "file: name"; `seconds` is what the
 * stage took, `files` what each of its files took; `deaths` tells of processes that ended by themselves.
 *
 * @typedef {{ stage: string, passed: number, failed: number, suites: number, skipped: string[], seconds: number, files: Timed[], deaths?: readonly string[] }} Outcome
 * @typedef {{ file: string, seconds: number }} Timed
 * @typedef {{ stages: string[], cpuSeconds: number }} Phase stages that went side by side, and what they were for the processors
 * @typedef {{ tests: number, suites: number }} Floor
 * @typedef {{ stages: Record<string, Floor>, mayBeSkipped: readonly string[] }} Floors `mayBeSkipped` are the beginnings of
 *   files whose tests need what not every machine has
 */

const SLOWEST = 10;
/** Said of a slow file that would begin last in a fresh clone, and keep the stage waiting with one processor idle. */
const UNKNOWN = ' (not in deploy/local/slow-tests.json)';

/** @param {Floors} floors @param {string} test as "file: name" */
const mayBeSkipped = ({ mayBeSkipped: files }, test) => files.some((file) => test.startsWith(file));

/**
 * Why a run proves less than it should; each is a failure.
 *
 * @param {Outcome[]} outcomes
 * @param {{ wanted: readonly string[], isWhole: boolean, floors: Floors }} run `wanted` are the stages that were to run; it is
 *   whole unless only some files were named
 * @returns {string[]}
 */
export function shortfalls(outcomes, { wanted, isWhole, floors }) {
  const ran = new Map(outcomes.map((outcome) => [outcome.stage, outcome]));
  const missing = isWhole ? wanted.filter((stage) => !ran.has(stage)) : [];
  return [
    ...missing.map((stage) => `${stage}: did not run`),
    ...outcomes.flatMap((outcome) => shortfallsOf(outcome, isWhole, floors)),
    ...(isWhole && outcomes.every(({ passed }) => passed === 0) ? ['nothing was tested'] : []),
  ];
}

/** @param {Outcome} outcome @param {boolean} isWhole @param {Floors} floors */
function shortfallsOf({ stage, passed, failed, suites, skipped, deaths = [] }, isWhole, floors) {
  const unasked = skipped.filter((test) => !mayBeSkipped(floors, test));
  // What is started again so soon that every test passes has ended all the same.
  const found = [
    ...deaths.map((death) => `${stage}: ${death}`),
    ...unasked.map((test) => `${stage}: skipped ${test}`),
  ];
  const executed = passed + failed;
  if (executed === 0) return [...found, `${stage}: not one test ran`];
  const floor = floors.stages[stage];
  if (!isWhole || !floor) return found;
  const tests = executed + skipped.length - unasked.length;
  if (tests < floor.tests) found.push(`${stage}: ${tests} tests, there were ${floor.tests}`);
  if (suites < floor.suites)
    found.push(`${stage}: ${suites} test files, there were ${floor.suites}`);
  return found;
}

/**
 * What a run of chaos came to: each invariant is a test, and so is each corruption that the checker did not notice and
 * whatever keeps the run from proving what it should. One that ends badly after its report is red, too.
 *
 * @param {{ rows: readonly { violations: readonly unknown[] }[], missed: readonly unknown[], unproven: readonly unknown[] }} report
 * @param {number} exitCode
 */
export function countsOfChaos({ rows, missed, unproven }, exitCode) {
  const held = rows.filter(({ violations }) => violations.length === 0).length;
  const failed = rows.length - held + missed.length + unproven.length;
  return { passed: held, failed: failed || Number(exitCode !== 0) };
}

/**
 * The floors as they could be after a run that did more than they ask for; null where they are right.
 *
 * @param {Outcome[]} outcomes
 * @param {Floors} floors
 * @returns {Record<string, Floor> | null}
 */
export function raised(outcomes, floors) {
  const now = Object.fromEntries(
    outcomes.map(({ stage, passed, suites }) => [stage, { tests: passed, suites }]),
  );
  const isAbove = outcomes.some(({ stage }) => {
    const [floor, own] = [floors.stages[stage], now[stage]];
    return floor && own && (own.tests > floor.tests || own.suites > floor.suites);
  });
  return isAbove ? now : null;
}

/**
 * Where the time went: seconds per stage, by the clock and of the processors, which a busy machine does not lengthen; and
 * the slowest files.
 *
 * @param {Outcome[]} outcomes
 * @param {Phase[]} phases
 * @param {readonly string[]} known the files that begin first in a fresh clone
 * @returns {string[]} lines
 */
export function timesOf(outcomes, phases, known) {
  const stages = outcomes.map(({ stage, seconds }) => `${stage} ${Math.round(seconds)} s`);
  const work = phases.map(
    (phase) => `${phase.stages.join(' with ')} ${Math.round(phase.cpuSeconds)} s`,
  );
  const slowest = outcomes
    .flatMap(({ files }) => files)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
  return [
    `Stages: ${stages.join(', ')}`,
    `Processors: ${work.join(', ')}`,
    ...(slowest.length > 0 ? ['Slowest files:'] : []),
    ...slowest.map(
      ({ file, seconds }) =>
        `  ${seconds.toFixed(1).padStart(6)} s  ${file}${known.includes(file) ? '' : UNKNOWN}`,
    ),
  ];
}
