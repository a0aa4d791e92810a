// npm run mixed: an upgrade for real. The release before and this one work on the same store, broker and Redis; under load
// one service after the other is replaced, callers first. Then everything is left alone, drains, and is checked as after chaos.
//
//   npm run mixed                            from the newest tag, else from the release that compatibility is compared with
//   npm run mixed -- --from v0.1.0           from a tag or commit
//   npm run mixed -- --rate 60 --workers 8   operations per second, and how many at once
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../deploy/local/lib/help.mjs';
import { instanceAt, LOCAL, ROOT } from '../deploy/local/lib/paths.mjs';
import { GATEWAY } from '../deploy/local/lib/placement.mjs';
import { Platform, playToTheEnd } from '../deploy/local/lib/platform.mjs';
import { run } from '../deploy/local/lib/processes.mjs';
import { say } from '../deploy/local/lib/progress.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';
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

/** A process that dies fails the run. @type {string[]} */
const deaths = [];
const platform = new Platform(INSTANCE, { onFault: (message) => void deaths.push(message) });

/** What the upgrade guide says to type first. @param {string} uri @param {string} prefix */
async function applyIndexes(uri, prefix) {
  const env = { ...process.env, MONGODB_URI: uri, MONGODB_DATABASE_PREFIX: prefix };
  for (const service of KEEPING) {
    const command = ['packages/backend/dist/indexes-cli.js', 'apply', `services/${service}`];
    await run(process.execPath, command, { cwd: ROOT, env });
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      seed: { type: 'string', default: '1' },
      rate: { type: 'string', default: '40' },
      workers: { type: 'string', default: '8' },
    },
  });
  forgetForeignServers();
  mkdirSync(INSTANCE.base, { recursive: true });
  await platform.beginAnew();
  const { commit, root } = await previousRelease(values.from);
  const tally = createTally();
  /** @type {string[]} */
  let order = [];
  /** @type {{ rounds: number, refused: string[] }} */
  let errands = { rounds: 0, refused: [] };
  let prepareNext = async () => {};
  const fleet = createFleet({
    platform,
    services: serviceNames(),
    logs: INSTANCE.logs,
    previousRoot: root,
    prepareNext: () => prepareNext(),
  });
  /** @type {import('./rehearse.mjs').Stage} */
  const stage = {
    start(urls, settings) {
      prepareNext = () => applyIndexes(urls.MONGODB_URI, String(settings.MONGODB_DATABASE_PREFIX));
      return fleet.start(urls, settings);
    },
    // Nothing is harmed; one calm at the end.
    plan: () => [[]],
    direct: (conductor, { scene: { token }, http }) => ({
      ...conductor,
      note(attempt) {
        tally.note(attempt.answer, fleet.replaced());
        conductor.note(attempt);
      },
      async play() {
        const ending = new AbortController();
        const onAttempt = (/** @type {import('./client.mjs').Attempt} */ { answer }) =>
          tally.note(answer, fleet.replaced());
        const givesUpAt = () => Number.POSITIVE_INFINITY;
        const running = runErrands(
          createClient({ door: http, token, givesUpAt, onAttempt }),
          ending.signal,
        );
        order = await fleet.replaceAll(http);
        await conductor.play();
        ending.abort();
        errands = await running;
      },
    }),
  };
  const { world } = await rehearse({
    platform,
    historyFile: path.join(INSTANCE.base, 'history.ndjson'),
    stage,
    seed: Number(values.seed),
    seconds: SECONDS,
    perSecond: Number(values.rate),
    workers: Number(values.workers),
  });

  const rows = checkAll(world);
  const { answered, declared, findings } = tally.result();
  const waited = countNewer(INSTANCE.logs);
  say(`\nFrom      ${commit.slice(0, 12)}, replaced in the order ${order.join(', ')}`);
  say(
    `Answered  ${answered}; ${world.history.length} operations, ${errands.rounds} rounds of errands`,
  );
  for (const [what, times] of declared) say(`Declared  ${times} times: ${what}`);
  say(`Waited    ${waited.size === 0 ? 'nothing' : renderCounts(waited)} for a newer release`);
  say(`\n${renderInvariants(rows)}\n`);
  const problems = [
    ...[...findings].map(([what, times]) => `${times} times ${what}`),
    ...errands.refused.map((what) => `refused: ${what}`),
    ...deaths,
    ...rows.flatMap(({ name, says, violations }) =>
      violations.length > 0 ? [`${name} is violated: ${says}`] : [],
    ),
  ];
  if (errands.rounds === 0) problems.push('no round of errands was finished');
  for (const problem of problems) say(`✗ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else say('Nothing failed but what is declared.');
}

await playToTheEnd(() => platform, main);
