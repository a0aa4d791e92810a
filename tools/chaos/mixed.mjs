// npm run mixed: an upgrade for real. The release before and this one work on the same store, broker and Redis; under load
// one service after the other is replaced, callers first. Then everything is left alone, drains, and is checked as after chaos.
//
//   npm run mixed                            from the newest tag, else from the release that compatibility is compared with
//   npm run mixed -- --from v0.1.0           from a tag or commit
//   npm run mixed -- --rate 60 --workers 8   operations per second, and how many at once
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { instanceAt, LOCAL, ROOT } from '../../deploy/local/lib/paths.mjs';
import { GATEWAY } from '../../deploy/local/lib/placement.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { run } from '../../deploy/local/lib/processes.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { serviceNames } from '../../deploy/local/lib/workspace.mjs';
import { checkAll } from './checker/invariants.mjs';
import { createClient } from './client.mjs';
import { forgetForeignServers } from './foreign-servers.mjs';
import { createTally } from './mixed/answers.mjs';
import { runErrands } from './mixed/errands.mjs';
import { createFleet } from './mixed/fleet.mjs';
import { countNewer } from './mixed/newer.mjs';
import { previousRelease } from './mixed/previous.mjs';
import { rehearse } from './rehearse.mjs';
import { renderCounts, renderInvariants } from './report.mjs';

helpIfAsked();

const INSTANCE = instanceAt(path.join(LOCAL, 'mixed/run'));
const KEEPING = serviceNames().filter((name) => name !== GATEWAY);
/** Longer than any run: the load ends when everything is replaced. */
const SECONDS = 3_600;
/** One refusal is as good as hundreds like it. */
const SHOWN = 5;

/**
 * What does not hold while these two releases take turns, as docs/upgrade.md says it; empty again once the older one knows
 * docs/adr/0043.
 *
 * @type {ReadonlyMap<string, string>}
 */
const DECLARED = new Map([
  [
    'H4',
    'another body under a key that the other release has answered is told what the first one came to',
  ],
  ['E1', 'what the older release told of somebody stays until it ends by itself, within a week'],
]);

/** A process that dies fails the run. @type {string[]} */
const deaths = [];
const platform = new Platform(INSTANCE, { onFault: (message) => void deaths.push(message) });

/** What the upgrade guide says to type first. @param {NodeJS.ProcessEnv} env */
async function applyIndexes(env) {
  for (const service of KEEPING) {
    const command = ['packages/backend/dist/indexes-cli.js', 'apply', `services/${service}`];
    await run(process.execPath, command, { cwd: ROOT, env: { ...process.env, ...env } });
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      seed: { type: 'string', default: '1' },
      rate: { type: 'string', default: '40' },
      workers: { type: 'string', default: '8' },
    },
  });
  const { from, seed, rate, workers } = values;
  return { from, seed: Number(seed), perSecond: Number(rate), workers: Number(workers) };
}

/** @typedef {{ order: string[], rounds: number, refused: string[] }} Upgrade */

/**
 * Replaces everything while staff run their errands, and then leaves it alone.
 *
 * @param {ReturnType<typeof createFleet>} fleet
 * @param {ReturnType<typeof createTally>} tally
 * @param {Upgrade} upgrade what is written down on the way
 * @returns {import('./rehearse.mjs').Stage}
 */
function stageOf(fleet, tally, upgrade) {
  const onAttempt = (/** @type {import('./client.mjs').Attempt} */ { answer }) =>
    tally.note(answer, fleet.replaced());
  const givesUpAt = () => Number.POSITIVE_INFINITY;
  return {
    start: (urls, settings) => fleet.start(urls, settings),
    // Nothing is harmed; one calm at the end.
    plan: () => [[]],
    direct: (conductor, { scene: { token }, http }) => ({
      ...conductor,
      note(attempt) {
        onAttempt(attempt);
        conductor.note(attempt);
      },
      async play() {
        const ending = new AbortController();
        const staff = createClient({ door: http, token, givesUpAt, onAttempt });
        const running = runErrands(staff, ending.signal);
        upgrade.order = await fleet.replaceAll(http);
        await conductor.play();
        ending.abort();
        Object.assign(upgrade, await running);
      },
    }),
  };
}

/**
 * @param {ReturnType<ReturnType<typeof createTally>['result']>} tallied
 * @param {Upgrade} upgrade
 * @param {ReturnType<typeof checkAll>} rows
 * @returns {string[]}
 */
function problemsOf({ findings }, { rounds, refused }, rows) {
  const violated = rows.filter(
    ({ name, violations }) => violations.length > 0 && !DECLARED.has(name),
  );
  return [
    ...[...findings].map(([what, times]) => `${times} times ${what}`),
    ...refused.slice(0, SHOWN).map((what) => `refused: ${what}`),
    ...(rounds === 0 ? ['no round of errands was finished'] : []),
    ...deaths,
    ...violated.map(({ name, says }) => `${name} is violated: ${says}`),
  ];
}

async function main() {
  const { from, ...load } = readArguments();
  forgetForeignServers();
  mkdirSync(INSTANCE.base, { recursive: true });
  await platform.beginAnew();
  const { commit, root } = await previousRelease(from);
  const fleet = createFleet({
    platform,
    services: serviceNames(),
    logs: INSTANCE.logs,
    previousRoot: root,
    prepareNext: applyIndexes,
  });
  const tally = createTally();
  /** @type {Upgrade} */
  const upgrade = { order: [], rounds: 0, refused: [] };
  const { world } = await rehearse({
    ...load,
    platform,
    historyFile: path.join(INSTANCE.base, 'history.ndjson'),
    stage: stageOf(fleet, tally, upgrade),
    seconds: SECONDS,
  });
  const rows = checkAll(world);
  const tallied = tally.result();
  const waited = countNewer(INSTANCE.logs);
  say(`\nFrom      ${commit.slice(0, 12)}, replaced in the order ${upgrade.order.join(', ')}`);
  say(
    `Answered  ${tallied.answered}: ${world.history.length} operations, ${upgrade.rounds} errands`,
  );
  for (const [what, times] of tallied.declared) say(`Declared  ${times} times: ${what}`);
  for (const { name, violations } of rows)
    if (violations.length > 0 && DECLARED.has(name))
      say(`Declared  ${violations.length} times: ${DECLARED.get(name)} (${name})`);
  say(`Waited    ${waited.size === 0 ? 'no event' : renderCounts(waited)} for a newer release`);
  say(`\n${renderInvariants(rows)}\n`);
  const problems = problemsOf(tallied, upgrade, rows);
  for (const problem of problems) say(`✗ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else say('Nothing failed but what is declared.');
}

await playToTheEnd(() => platform, main);
