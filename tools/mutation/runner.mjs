// A test runner for Stryker: the unit tests of what is broken in its own process, with Jest's expect and each. Jest itself
// takes half a second to begin and cannot stop at the first failure; here a mutant takes some milliseconds.
import path from 'node:path';
import { loaderOf, testFilesIn } from './modules.mjs';
import { OF_JEST } from './targets.mjs';

/** Found only once they are installed, which a check of the types need not wait for. @param {string} name */
const load = (name) => import(name);
const { expect } = await load('expect');
const { bind } = await load('jest-each');
const { ModuleMocker } = await load('jest-mock');
const { declareClassPlugin, PluginKind } = await load('@stryker-mutator/api/plugin');
const { determineHitLimitReached, DryRunStatus, TestStatus, toMutantRunResult } = await load(
  '@stryker-mutator/api/test-runner',
);

const shared = /** @type {any} */ (globalThis);
shared.__stryker__ ??= {};
/**
 * Where the instrumented code looks for the mutant that is switched on, and notes what it passes through.
 *
 * @type {{ activeMutant?: string, currentTestId?: string, mutantCoverage?: object, hitLimit?: number, hitCount?: number }}
 */
const switchboard = shared.__stryker__;

/** @typedef {{ id: string, run: () => unknown }} Test */
/** @typedef {{ id: string, name: string, timeSpentMs: number, status: number, failureMessage?: string }} Result */

/** @typedef {() => unknown} Step */

const mocker = new ModuleMocker(globalThis);
const jest = Object.fromEntries(OF_JEST.map((name) => [name, mocker[name].bind(mocker)]));

/** Loads the test files and returns what they would test. What goes before or after all tests of a file goes around each. */
function collect() {
  /** @type {string[]} */
  const titles = [];
  /** @type {Test[]} */
  const tests = [];
  /** Of the file that is being loaded. @type {{ before: Step[], after: Step[] }} */
  let around = { before: [], after: [] };
  const describe = (/** @type {string} */ title, /** @type {() => void} */ define) => {
    titles.push(title);
    define();
    titles.pop();
  };
  const test = (/** @type {string} */ title, /** @type {Step} */ run) => {
    const { before, after } = around;
    tests.push({ id: [...titles, title].join(' '), run: () => inOrder(before, run, after) });
  };
  describe.each = bind(describe, false);
  test.each = bind(test, false);
  const before = (/** @type {Step} */ step) => around.before.push(step);
  const after = (/** @type {Step} */ step) => around.after.push(step);
  const hooks = { beforeAll: before, beforeEach: before, afterAll: after, afterEach: after };
  const sandbox = path.resolve('.');
  const load = loaderOf(sandbox, { describe, test, it: test, expect, jest, ...hooks });
  for (const file of testFilesIn(sandbox)) {
    around = { before: [], after: [] };
    load(file);
  }
  return tests;
}

/** @param {Step[]} before @param {Step} run @param {Step[]} after */
async function inOrder(before, run, after) {
  for (const step of before) await step();
  try {
    await run();
  } finally {
    for (const step of after) await step();
  }
}

/**
 * @param {Test} test
 * @returns {Promise<Result>}
 */
async function resultOf({ id, run }) {
  const since = performance.now();
  const about = () => ({ id, name: id, timeSpentMs: performance.now() - since });
  try {
    await run();
    return { ...about(), status: TestStatus.Success };
  } catch (error) {
    return { ...about(), status: TestStatus.Failed, failureMessage: String(error) };
  }
}

/** The first test that fails, or all that passed. @param {Set<string> | null} wanted @returns {Promise<Result[]>} */
async function untilOneFails(wanted) {
  /** @type {Result[]} */
  const results = [];
  for (const test of collect()) {
    if (wanted && !wanted.has(test.id)) continue;
    const result = await resultOf(test);
    results.push(result);
    if (result.status === TestStatus.Failed) break;
  }
  return results;
}

class DomainTestRunner {
  static inject = /** @type {const} */ ([]);

  /** Every run evaluates everything, so that mutants of constants work too. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  /** All tests on the code as it is; tells which of them pass through which mutant. */
  async dryRun() {
    const mutantCoverage = { static: {}, perTest: {} };
    Object.assign(switchboard, { mutantCoverage, activeMutant: undefined });
    const tests = [];
    for (const test of collect()) {
      switchboard.currentTestId = test.id;
      tests.push(await resultOf(test));
      switchboard.currentTestId = undefined;
    }
    switchboard.mutantCoverage = undefined;
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  /** @param {{ activeMutant: { id: string }, testFilter?: string[], hitLimit?: number, disableBail: boolean }} options */
  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    const hitCount = hitLimit === undefined ? undefined : 0;
    Object.assign(switchboard, { activeMutant: activeMutant.id, hitLimit, hitCount });
    const tests = await untilOneFails(testFilter ? new Set(testFilter) : null).catch((error) => [
      // A test file that cannot even be loaded fails npm test as well.
      {
        id: '',
        name: '',
        timeSpentMs: 0,
        status: TestStatus.Failed,
        failureMessage: String(error),
      },
    ]);
    const endless = determineHitLimitReached(switchboard.hitCount, hitLimit);
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests }, disableBail);
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'domain', DomainTestRunner),
];
