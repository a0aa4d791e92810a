// npm test: set-up, checks, unit, integration and end-to-end tests, a minute of chaos; leaves nothing running.
//
//   npm test                            everything
//   npm test -- --only unit             one or more of checks, unit, integration, e2e, restarts, chaos
//   npm test -- services/ledger         only the test files whose path matches
//   npm test -- --changed               what the change can break, the nearest first, for two minutes; --since names where it began
//   npm test -- --light e2e/wallet      the platform as one process instead of two that host every service each: there sooner
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installBrowser } from './lib/browser.mjs';
import { chooseByChange } from './lib/changed.mjs';
import { cpuSeconds } from './lib/cpu-seconds.mjs';
import { countsOfChaos, raised, shortfalls, timesOf } from './lib/floors.mjs';
import { helpIfAsked } from './lib/help.mjs';
import { runJest, testFiles } from './lib/jest.mjs';
import { LOCAL, ROOT, shown, TEST_INSTANCE } from './lib/paths.mjs';
import { Platform } from './lib/platform.mjs';
import { freePort } from './lib/ports.mjs';
import { runVisibly } from './lib/processes.mjs';
import { explain, SetupError, say, sinceStart, warn } from './lib/progress.mjs';

helpIfAsked();

/** The projects of jest. */
const PROJECTS = ['unit', 'integration', 'e2e', 'restarts'];
/** Those that talk to the running platform. */
const AGAINST_PLATFORM = ['e2e', 'restarts'];
/** Those that take processes away. */
const TAKEN_AWAY = new Set(['restarts']);
const STAGES = ['checks', ...PROJECTS, 'chaos'];
/** Always the same faults, so that a failure is one of the code. */
const CHAOS = ['--seconds', '60', '--seed', '7', '--rate', '60', '--workers', '24', '--self-test'];

const CHAOS_REPORT = path.join(LOCAL, 'chaos/report.json');
/** What each test file took the last time. */
const TIMED_FILE = path.join(TEST_INSTANCE.base, 'seconds.json');
const FLOORS_FILE = path.join(ROOT, 'deploy/local/floors.json');
const SLOW_FILE = path.join(ROOT, 'deploy/local/slow-tests.json');

/** Ctrl-C by shell convention. */
const INTERRUPTED = 130;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true },
        light: { type: 'boolean', default: false },
        changed: { type: 'boolean', default: false },
        since: { type: 'string' },
      },
    });
    const only = values.only?.flatMap((names) => names.split(','));
    const unknown = only?.find((name) => !STAGES.includes(name));
    if (unknown) throw new Error(`--only takes ${STAGES.join(', ')}, not ${unknown}`);
    // A call that names files wants those tests, not the checks of everything.
    const stages = only ?? (positionals.length > 0 ? PROJECTS : STAGES);
    const { light, since } = values;
    const ofChange = values.changed || since !== undefined;
    if (ofChange && (only || positionals.length > 0))
      throw new Error('--changed chooses by itself: it takes neither --only nor paths');
    return { stages, paths: positionals, isLight: light || ofChange, ofChange, since };
  } catch (error) {
    throw new SetupError(
      `${/** @type {Error} */ (error).message}\nUsage: npm test -- [--only STAGE] [--light] [path ...]\n       npm test -- --changed [--since COMMIT]`,
    );
  }
}

/** What ended by itself since it was last looked at. @type {string[]} */
const deaths = [];
const platform = new Platform(TEST_INSTANCE, {
  onFault(message) {
    warn(message);
    deaths.push(message);
  },
});
const total = { passed: 0, failed: 0, unsteady: /** @type {string[]} */ ([]) };
let finishing = false;
/** @type {import('./lib/floors.mjs').Outcome[]} */
const outcomes = [];
/** @type {import('./lib/floors.mjs').Phase[]} */
const phases = [];

/** @returns {Record<string, number>} */
const timed = () => (existsSync(TIMED_FILE) ? JSON.parse(readFileSync(TIMED_FILE, 'utf8')) : {});

/**
 * Adds what a stage came to.
 *
 * @param {string} stage
 * @param {() => Promise<{ passed: number, failed: number, unsteady?: string[], suites?: import('./lib/jest.mjs').Suite[] }>} work
 */
async function runStage(stage, work) {
  const since = performance.now();
  const { passed, failed, unsteady = [], suites = [] } = await work();
  const found = deaths.splice(0);
  total.passed += passed;
  total.failed += failed;
  total.unsteady.push(...unsteady);
  outcomes.push({
    stage,
    passed,
    failed,
    suites: suites.length,
    skipped: suites.flatMap(({ skipped }) => skipped),
    seconds: (performance.now() - since) / 1_000,
    files: suites.map(({ file, seconds }) => ({ file: shown(file), seconds })),
    deaths: TAKEN_AWAY.has(stage) ? [] : found,
  });
}

/** What the run proves less than it should counts as failed. @param {{ stages: string[], paths: string[] }} wanted */
function judge({ stages, paths }) {
  const floors = JSON.parse(readFileSync(FLOORS_FILE, 'utf8'));
  const skipped = outcomes.flatMap((outcome) => outcome.skipped);
  if (skipped.length > 0) say(`\nSkipped ${skipped.length}:\n  ${skipped.join('\n  ')}`);
  const isWhole = paths.length === 0;
  const short = shortfalls(outcomes, { wanted: stages, isWhole, floors });
  if (short.length > 0) say(`\nProves less than it should:\n  ${short.join('\n  ')}`);
  total.failed += short.length;
  const higher = isWhole && total.failed === 0 ? raised(outcomes, floors) : null;
  if (higher) say(`\n${shown(FLOORS_FILE)} may be raised to ${JSON.stringify(higher)}`);
  const files = outcomes.flatMap((outcome) => outcome.files);
  const now = Object.fromEntries(files.map(({ file, seconds }) => [file, seconds]));
  writeFileSync(TIMED_FILE, JSON.stringify({ ...timed(), ...now }, null, 2));
  const known = JSON.parse(readFileSync(SLOW_FILE, 'utf8'));
  say(`\n${timesOf(outcomes, phases, known).join('\n')}`);
}

/** @param {number} [exitCode] without it the tests decide */
async function finish(exitCode) {
  if (finishing) return;
  finishing = true;
  await platform.stop();
  if (total.unsteady.length > 0)
    say(`\nFailed among others and passed by themselves:\n  ${total.unsteady.join('\n  ')}`);
  say(`\nTook ${sinceStart()}.`);
  say(`${total.passed} passed, ${total.failed} failed`);
  process.exit(exitCode ?? (total.failed > 0 ? 1 : 0));
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    if (!finishing) say('\nInterrupted: stopping what was started ...');
    void finish(INTERRUPTED).catch(explain);
  });
}

/**
 * The projects that have something to run, in order.
 *
 * @typedef {{ project: string, files: string[] }} Found
 * @param {string[]} stages
 * @param {string[]} paths
 * @returns {Promise<Found[]>}
 */
async function projectsToRun(stages, paths) {
  const chosen = PROJECTS.filter((stage) => stages.includes(stage));
  const found = await Promise.all(
    chosen.map(async (project) => ({ project, files: await testFiles(project, paths) })),
  );
  const projects = found.filter(({ files }) => files.length > 0);
  if (projects.length === 0 && paths.length > 0)
    throw new SetupError(`No test file matches ${paths.join(' ')}`);
  return projects;
}

/** Two of every service: what holds in these tests holds for a platform that is scaled out. */
const REPLICAS = 2;
/**
 * Where each replica is a process of its own. Elsewhere two processes host a replica of every service each, which costs a
 * fraction of it: what crosses a connection is proven by these, by chaos and by the tests of packages/rpc.
 */
const APART = new Set(['restarts']);
const E2E_SETTINGS = {
  // The tests name the address that a call comes from; all limits are at their defaults.
  TRUST_PROXY: '1',
  // No test waits an hour for a checkpoint, nor a minute.
  CHECKPOINT_INTERVAL_SECONDS: '15',
  CHECKPOINT_MARGIN_SECONDS: '2',
};

/**
 * What the end-to-end tests talk to: the whole platform, with its own data, broker and ports.
 *
 * @param {string} project
 * @param {import('./lib/infrastructure.mjs').Urls} urls
 * @param {boolean} isLight
 */
async function startPlatform(project, urls, isLight) {
  const baseUrls = await platform.startServices(urls, {
    gatewayPort: await freePort(),
    processes: !isLight && APART.has(project),
    replicas: isLight ? 1 : REPLICAS,
    // A server that MONGODB_URI names may hold data of others.
    settings: { ...E2E_SETTINGS, MONGODB_DATABASE_PREFIX: `test_${process.pid}_` },
  });
  // The targets are for what the platform does not offer over HTTP yet.
  return {
    ...platform.targets,
    LAUREL_BASE_URLS: baseUrls.join(','),
    LAUREL_STATE_FILE: TEST_INSTANCE.state,
    MAIL_OUTBOX_DIR: TEST_INSTANCE.outbox,
  };
}

/** @param {readonly string[]} [names] */
async function check(names) {
  // Imported late: on a fresh clone nothing it needs is there before the set-up.
  const { runChecks } = await import('../../scripts/check.mjs');
  await runStage('checks', () => runChecks(names));
}

/** @param {Found} found @param {boolean} isWhole @param {NodeJS.ProcessEnv} [running] what tells the tests where the platform is */
function tryProject({ project, files }, isWhole, running = {}) {
  say(`\n--- ${project} tests`);
  const reportFile = path.join(TEST_INSTANCE.base, `report-${project}.json`);
  const env = { ...process.env, ...running };
  return runStage(project, () =>
    runJest({ project, files: isWhole ? undefined : files, reportFile, env }),
  );
}

/** @param {Found[]} found */
async function startServers(found) {
  const urls = await platform.startInfrastructure();
  // Afterwards: the package manager serves one at a time.
  if (found.some(({ files }) => files.some((file) => file.includes('e2e/pages/'))))
    await installBrowser();
  return urls;
}

async function main() {
  const asked = readArguments();
  await platform.beginAnew();
  /** @type {{ stages: string[], paths: string[], checks?: readonly string[] }} without `checks` all of them */
  const wanted = asked.ofChange ? await chooseByChange(asked.since, timed()) : asked;
  const { stages, paths } = wanted;
  const isWhole = paths.length === 0;
  const projects = await projectsToRun(stages, paths);
  const unit = projects.find(({ project }) => project === 'unit');
  const others = projects.filter((one) => one !== unit);
  const first = ['checks', 'unit'].filter((stage) => stages.includes(stage));
  // Neither needs a server: both go on while the servers start.
  const [urls] = await inPhase(first, () =>
    Promise.all([
      others.length > 0 ? startServers(others) : undefined,
      stages.includes('checks') ? check(wanted.checks) : undefined,
      unit ? tryProject(unit, isWhole) : undefined,
    ]),
  );
  for (const found of others) {
    await inPhase([found.project], async () => {
      const isAgainst = AGAINST_PLATFORM.includes(found.project) && urls;
      const running = isAgainst ? await startPlatform(found.project, urls, asked.isLight) : {};
      await tryProject(found, isWhole, { ...urls, ...running });
      if (isAgainst) await platform.stopServices();
    });
  }
  if (stages.includes('chaos')) await inPhase(['chaos'], () => runStage('chaos', runChaos));
  judge(wanted);
}

/**
 * Runs stages that go side by side, and notes what they were for the processors.
 *
 * @template T
 * @param {string[]} stages
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inPhase(stages, work) {
  const since = cpuSeconds();
  const result = await work();
  phases.push({ stages, cpuSeconds: cpuSeconds() - since });
  return result;
}

/** On a platform of its own, which has the machine for itself. */
async function runChaos() {
  await platform.stop();
  say('\n--- chaos');
  rmSync(CHAOS_REPORT, { force: true });
  const program = [path.join(ROOT, 'tools/chaos/run.mjs'), ...CHAOS];
  const exitCode = await runVisibly(process.execPath, program, { cwd: ROOT });
  if (!existsSync(CHAOS_REPORT)) return { passed: 0, failed: 1 };
  return countsOfChaos(JSON.parse(readFileSync(CHAOS_REPORT, 'utf8')), exitCode);
}

main()
  .then(() => finish())
  .catch((error) => {
    if (finishing) return;
    explain(error);
    total.failed += 1;
    return finish(1);
  });
