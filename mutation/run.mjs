// npm run mutate: do the tests of the domains notice when a rule is broken? Breaks them one place at a time and asks.
//
//   npm run mutate                       ledger, tiers, rewards and referrals
//   npm run mutate -- ledger tiers       these
//   npm run mutate -- --incremental      what was noticed before and has not changed is not asked again
//   npm run mutate -- --concurrency 1    one test runner instead of two
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../deploy/local/lib/help.mjs';
import { LOCAL, ROOT } from '../deploy/local/lib/paths.mjs';
import { run } from '../deploy/local/lib/processes.mjs';
import { explain, SetupError, say, step } from '../deploy/local/lib/progress.mjs';
import { digestOf, isStamped, stamp } from '../deploy/local/lib/stamps.mjs';
import { renderScores, renderSurvivors, scoresOf } from './report.mjs';

helpIfAsked();

/** The least share of broken rules that the tests must notice, in percent. */
const THRESHOLDS = { ledger: 95, tiers: 90, rewards: 90, referrals: 90 };

/** Long, for a mutant that is merely slow on a busy machine would count as noticed, as one that never ends does. */
const TIMEOUT = { timeoutMS: 60_000, timeoutFactor: 4 };

const HERE = path.join(ROOT, 'mutation');

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      incremental: { type: 'boolean', default: false },
      concurrency: { type: 'string', default: '2' },
    },
  });
  const known = Object.keys(THRESHOLDS);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new SetupError(`${unknown.join(', ')}: there are ${known.join(', ')}.`);
  return {
    services: positionals.length > 0 ? positionals : known,
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

/**
 * @param {string} service
 * @param {{ incremental: boolean, concurrency: number }} options
 */
function settingsFor(service, { incremental, concurrency }) {
  const domain = `services/${service}/src/domain`;
  const kept = path.join(LOCAL, 'mutation');
  return {
    mutate: [`${domain}/**/*.ts`, `!${domain}/**/*.test.ts`],
    // Only what the tests need is copied into the sandbox; its node_modules are links.
    ignorePatterns: [
      '**',
      '!packages/*/src/**',
      '!packages/*/package.json',
      `!services/${service}/src/**`,
    ],
    // Not in the open: a normal run of Jest would find everything twice.
    tempDirName: path.join('.local/mutation/sandbox', service),
    testRunner: 'domain',
    plugins: [path.join(HERE, 'runner.mjs')],
    coverageAnalysis: 'perTest',
    concurrency,
    ...TIMEOUT,
    incremental,
    incrementalFile: path.join(kept, `${service}-incremental.json`),
    reporters: ['json', ...(process.stdout.isTTY ? ['progress'] : [])],
    jsonReporter: { fileName: path.join(kept, `${service}.json`) },
    logLevel: 'warn',
    // Mutants of constants cost no more than others here.
    warnings: { slow: false },
  };
}

async function main() {
  const { services, ...options } = readArguments();
  process.chdir(ROOT);
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const Stryker = await loadStryker();
  for (const service of services) {
    say(`\n${service}`);
    const results = await new Stryker(settingsFor(service, options)).runMutationTest();
    const scores = scoresOf(results, ROOT);
    say(renderSurvivors(results, ROOT));
    say(renderScores(scores, THRESHOLDS[service]));
    if (scores.total.score < THRESHOLDS[service]) process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
