// Running one of the jest projects and reading the numbers from its report.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { ROOT, shown } from './paths.mjs';
import { run, runVisibly } from './processes.mjs';
import { say } from './progress.mjs';
import { runtimeFor } from './runtime.mjs';

/** Their files take processes away from each other. */
const ALONE = new Set(['restarts']);

/** While one of their tests waits for the store or the broker, another one has the processor. */
const WAITING = new Set(['integration']);

const JEST = path.join(ROOT, 'node_modules/jest/bin/jest.js');

/**
 * The test files of a project that match one of the wanted paths, or all without any. What lies above the checkout does
 * not count: a checkout in a folder named `ledger` is not all about the ledger.
 *
 * @param {string} project
 * @param {string[]} paths
 * @returns {Promise<string[]>} absolute
 */
export async function testFiles(project, paths) {
  const args = [JEST, '--listTests', '--selectProjects', project];
  const output = await run(process.execPath, args, { cwd: ROOT });
  const files = output.split('\n').filter((line) => path.isAbsolute(line));
  const wanted = paths.map((one) => new RegExp(path.isAbsolute(one) ? shown(one) : one));
  return files.filter(
    (file) => wanted.length === 0 || wanted.some((pattern) => pattern.test(shown(file))),
  );
}

/**
 * The test files that import one of the given, directly or by others.
 *
 * @param {readonly string[]} sources relative to the top folder
 * @returns {Promise<string[]>} relative to the top folder, too
 */
export async function testsOf(sources) {
  if (sources.length === 0) return [];
  const args = [JEST, '--listTests', '--findRelatedTests', ...sources];
  const output = await run(process.execPath, args, { cwd: ROOT });
  return output.split('\n').filter(path.isAbsolute).map(shown);
}

/**
 * Runs a project. What fails in it beside others is run once more by itself: a machine that stood still for seconds is no
 * fault of the code, and a race that was lost is known by its name. A unit test that found a counterexample has waited for
 * nothing, and would draw other examples, so it stays failed.
 *
 * @param {Wanted} options
 * @returns {Promise<Counts>}
 */
export async function runJest(options) {
  const { project, reportFile } = options;
  const first = await runOnce(options);
  const files = failedFiles(first);
  const isLost = first.failed > 0 && files.length === 0;
  const isProven = project === 'unit' && first.suites.some(({ hasExample }) => hasExample);
  if (first.failed === 0 || isLost || isProven || files.length > AGAIN_MAX) return first;
  say(`\n--- ${project} tests, once more by themselves: ${files.map(shown).join(', ')}`);
  const again = await runOnce({
    ...options,
    files,
    reportFile: `${reportFile}.again`,
    alone: true,
  });
  const ofFirst = first.suites.filter(({ file }) => files.includes(file));
  const unsteady = ofFirst.flatMap(({ failures }) => failures);
  return {
    // The files that ran twice count by their second run.
    passed: first.passed - sum(ofFirst.map(({ passed }) => passed)) + again.passed,
    failed: again.failed,
    unsteady: again.failed === 0 ? unsteady : [],
    suites: first.suites,
  };
}

/**
 * What a run of jest came to; a file that could not be run at all counts as one failure. `unsteady` names the tests
 * that failed among others and passed by themselves. `hasExample`: a property of the suite failed on an example that it names.
 *
 * @typedef {{ project: string, files?: string[] | undefined, reportFile: string, env: NodeJS.ProcessEnv }} Wanted without `files` all of
 *   the project
 * @typedef {{ file: string, passed: number, failures: string[], hasExample: boolean, skipped: string[], seconds: number }} Suite
 * @typedef {{ passed: number, failed: number, unsteady: string[], suites: Suite[] }} Counts
 */

/** How fast-check begins what it says of an example. */
const COUNTEREXAMPLE = 'Property failed after';

/** More files than these failing at once is no bad moment of the machine. */
const AGAIN_MAX = 5;

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @param {Counts} counts */
const failedFiles = ({ suites }) =>
  suites.filter(({ failures }) => failures.length > 0).map(({ file }) => file);

/** @param {string} project */
const workersOf = (project) =>
  Math.max(2, availableParallelism() - 1) + (WAITING.has(project) ? 1 : 0);

/**
 * @param {Wanted & { alone?: boolean }} options
 * @returns {Promise<Counts>}
 */
async function runOnce({ project, files, reportFile, env, alone = ALONE.has(project) }) {
  mkdirSync(path.dirname(reportFile), { recursive: true });
  rmSync(reportFile, { force: true });
  const workers = alone ? 1 : workersOf(project);
  const args = argumentsOf({ project, files, reportFile, workers });
  // On the Node.js of the services: what holds in these tests shall hold where the code runs.
  const exitCode = await runVisibly(runtimeFor(), [JEST, ...args], { cwd: ROOT, env });
  return countsIn(reportFile, exitCode);
}

/**
 * What jest is started with.
 *
 * @param {{ project: string, files?: string[] | undefined, reportFile: string, workers: number }} options
 * @returns {string[]}
 */
export function argumentsOf({ project, files, reportFile, workers }) {
  // The files come first: jest would take what follows --selectProjects for further projects.
  const named = files ? ['--runTestsByPath', ...files] : [];
  const selected = ['--selectProjects', project, '--json', `--outputFile=${reportFile}`];
  // A file that runs by itself runs in jest's own process, which would wait for ever for what the file has left open.
  return [...named, ...selected, `--maxWorkers=${workers}`, '--forceExit'];
}

/**
 * @param {string} reportFile
 * @param {number} exitCode
 * @returns {Counts}
 */
function countsIn(reportFile, exitCode) {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    return {
      passed: report.numPassedTests,
      // Jest may also fail as a whole, for instance in a global set-up.
      failed: failed || (exitCode === 0 ? 0 : 1),
      unsteady: [],
      suites: report.testResults.map(suiteIn),
    };
  } catch {
    return { passed: 0, failed: 1, unsteady: [], suites: [] };
  }
}

/**
 * @param {any} result
 * @returns {Suite}
 */
export function suiteIn({ name, status, assertionResults, startTime, endTime }) {
  /** @param {(status: string) => boolean} is @returns {string[]} */
  const testsThat = (is) =>
    assertionResults
      .filter((/** @type {any} */ test) => is(test.status))
      .map((/** @type {any} */ { fullName }) => `${shown(name)}: ${fullName}`);
  const failures = testsThat((one) => one === 'failed');
  const hasExample = assertionResults.some((/** @type {any} */ { failureMessages = [] }) =>
    failureMessages.some((/** @type {string} */ message) => message.includes(COUNTEREXAMPLE)),
  );
  const passed = testsThat((one) => one === 'passed').length;
  const skipped = testsThat((one) => one !== 'passed' && one !== 'failed');
  if (status === 'failed' && failures.length === 0) failures.push(`${shown(name)}: could not run`);
  return {
    file: name,
    passed,
    failures,
    hasExample,
    skipped,
    seconds: (endTime - startTime) / 1_000,
  };
}
