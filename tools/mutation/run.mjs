// npm run mutate: do the unit tests notice when a rule is broken? Breaks the rules one place at a time and asks.
//
//   npm run mutate                       everything that docs/measurements/mutation.md has a goal for
//   npm run mutate -- ledger segments    these
//   npm run mutate -- --incremental      what was noticed before and has not changed is not asked again
//   npm run mutate -- --concurrency 1    one test runner instead of two
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { LOCAL, ROOT } from '../../deploy/local/lib/paths.mjs';
import { run } from '../../deploy/local/lib/processes.mjs';
import { explain, SetupError, say, step } from '../../deploy/local/lib/progress.mjs';
import { digestOf, isStamped, stamp } from '../../deploy/local/lib/stamps.mjs';
import { tellRunners } from './modules.mjs';
import { renderScores, renderSurvivors, scoresOf } from './report.mjs';
import { TARGETS } from './targets.mjs';

helpIfAsked();

/** Long, for a mutant that is merely slow on a busy machine would count as noticed, as one that never ends does. */
const TIMEOUT = { timeoutMS: 60_000, timeoutFactor: 4 };

const HERE = path.join(ROOT, 'tools/mutation');

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      incremental: { type: 'boolean', default: false },
      concurrency: { type: 'string', default: '2' },
    },
  });
  const known = Object.keys(TARGETS);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new SetupError(`${unknown.join(', ')}: there are ${known.join(', ')}.`);
  return {
    targets: positionals.length > 0 ? positionals : known,
    incremental: values.incremental,
    concurrency: Number(values.concurrency),
  };
}

/** Stryker is installed here, apart from the workspace, the first time that it is wanted. */
async function loadStryker() {
  const installed = path.join(LOCAL, 'mutation/installed');
  const digest = digestOf([path.join(HERE, 'package-lock.json')]);
  const entry = path.join(HERE, 'node_modules/@stryker-mutator/core/dist/src/index.js');
  if (!existsSync(entry) || !isStamped(installed, digest)) {
    await step('Installing Stryker', () => run('npm', ['ci', '--no-audit'], { cwd: HERE }));
    stamp(installed, digest);
  }
  return (await import(pathToFileURL(entry).href)).Stryker;
}

/** What is below a folder, or a file. @param {string} entry */
const filesOf = (entry) => (entry.endsWith('.ts') ? entry : `${entry}/**/*.ts`);

/** The package or service that something belongs to. @param {string} entry */
const homeOf = (entry) => entry.split('/').slice(0, 2).join('/');

/**
 * @param {string} target
 * @param {{ incremental: boolean, concurrency: number }} options
 */
function settingsFor(target, { incremental, concurrency }) {
  const of = TARGETS[target]?.of ?? [];
  const homes = [...new Set(of.map(homeOf))].filter((home) => home.startsWith('services/'));
  const kept = path.join(LOCAL, 'mutation');
  return {
    mutate: [...of.map(filesOf), '!**/*.test.ts'],
    // Only what the tests need is copied into the sandbox; its node_modules are links.
    ignorePatterns: [
      '**',
      '!packages/*/src/**',
      '!packages/*/package.json',
      ...homes.map((home) => `!${home}/src/**`),
    ],
    // Not in the open: a normal run of Jest would find everything twice.
    tempDirName: path.join('.local/mutation/sandbox', target),
    testRunner: 'domain',
    plugins: [path.join(HERE, 'runner.mjs')],
    coverageAnalysis: 'perTest',
    concurrency,
    ...TIMEOUT,
    incremental,
    incrementalFile: path.join(kept, `${target}-incremental.json`),
    reporters: ['json', ...(process.stdout.isTTY ? ['progress'] : [])],
    jsonReporter: { fileName: path.join(kept, `${target}.json`) },
    logLevel: 'warn',
    // Mutants of constants cost no more than others here.
    warnings: { slow: false },
  };
}

async function main() {
  const { targets, ...options } = readArguments();
  process.chdir(ROOT);
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const Stryker = await loadStryker();
  for (const target of targets) {
    const { of = [], least = 100 } = TARGETS[target] ?? {};
    say(`\n${target}`);
    tellRunners(target, of);
    const results = await new Stryker(settingsFor(target, options)).runMutationTest();
    const scores = scoresOf(results, ROOT);
    say(renderSurvivors(results, ROOT));
    say(renderScores(scores, least));
    if (scores.total.score < least) process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
