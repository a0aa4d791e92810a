// npm run chaos: load with a recorded history while processes are killed, frozen and emptied at random; then the
// platform is left alone, drains, and a checker that shares no code with it reads what is there.
//
//   npm run chaos                            five minutes from a new seed
//   npm run chaos -- --seconds 60 --seed 7   what npm test runs
//   npm run chaos -- --minutes 60            the long run
//   npm run chaos -- --rate 150 --workers 12 operations per second, and how many at once
//   npm run chaos -- --self-test             also plants corruptions into what was found: each must be caught
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { instanceAt, LOCAL, shown } from '../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { SetupError, say } from '../../deploy/local/lib/progress.mjs';
import { checkAll } from './checker/invariants.mjs';
import { selfTest } from './checker/self-test.mjs';
import { installClockLibrary } from './clocks.mjs';
import { endDisk, openDisk } from './disk.mjs';
import { DISK_OF } from './faults.mjs';
import { unproven } from './floors.mjs';
import { forgetForeignServers } from './foreign-servers.mjs';
import { rehearse, withFaults } from './rehearse.mjs';
import { countBy, renderCounts, renderInvariants } from './report.mjs';
import { allowRefusals } from './store-refusals.mjs';

helpIfAsked();

/** Less does not meet every kind of fault, and is red. */
const SECONDS_MIN = 30;
const INSTANCE = instanceAt(path.join(LOCAL, 'chaos'));

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        seconds: { type: 'string', default: '300' },
        minutes: { type: 'string' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
        rate: { type: 'string', default: '120' },
        workers: { type: 'string', default: '12' },
        'self-test': { type: 'boolean', default: false },
      },
    });
    const wanted = values.minutes === undefined ? values.seconds : `${Number(values.minutes) * 60}`;
    const numbers = [wanted, values.seed, values.rate, values.workers].map(Number);
    const [seconds, seed, perSecond, workers] = /** @type {[number, number, number, number]} */ (
      numbers
    );
    if (numbers.some((number) => !Number.isInteger(number) || number < 0) || seconds < SECONDS_MIN)
      throw new Error(
        `--seconds (${SECONDS_MIN} or more) or --minutes, --seed, --rate and --workers take whole numbers`,
      );
    return { seconds, seed, perSecond, workers, withSelfTest: values['self-test'] };
  } catch (error) {
    throw new SetupError(/** @type {Error} */ (error).message);
  }
}

/** Faults are what this is about: they are counted, not warned of. @type {string[]} */
const deaths = [];
const platform = new Platform(INSTANCE, {
  onFault: (message) => void deaths.push(message),
  longestPauseMs: 1_000,
});

/** @param {Omit<Awaited<ReturnType<typeof rehearse>>, 'kinds'>} result */
function describe({ world, faults, statuses, loadSeconds }) {
  const { history, run } = world;
  const met = faults.filter(({ hit }) => hit);
  const perSecond = Math.round(history.length / loadSeconds);
  const ready = run.calms.map(({ readyAfterMs }) => readyAfterMs).join(', ');
  const failed = run.calms.flatMap((calm) => calm.failed);
  say(`\nFaults    ${met.length}: ${renderCounts(countBy(met, faultName))}`);
  say(
    `Asked     ${history.length} operations, ${perSecond}/s: ${renderCounts(countBy(history, ending))}`,
  );
  say(`Answers   ${renderCounts(statuses)}`);
  say(
    `Found     ${world.entries.length} entries in ${world.wallets.length} wallets, ${renderFound(world)}`,
  );
  say(`Calm      ready after ${ready} ms; drained after ${run.drainedAfterMs} ms`);
  for (const attempt of failed) say(`          failed ${attempt}`);
}

/** @param {Awaited<ReturnType<typeof rehearse>>['world']} world */
function renderFound({ redemptions, referrals, tombstones, moves, heard, deliveries }) {
  const completed = referrals.filter(({ status }) => status === 'completed').length;
  return [
    `${redemptions.length} redemptions`,
    `${completed} of ${referrals.length} referrals completed`,
    `${tombstones.length} merges`,
    `${moves.length} promotions`,
    `${heard.length} events`,
    `${deliveries.length} deliveries`,
  ].join(', ');
}

const faultName = (/** @type {import('./faults.mjs').Fault} */ { action, target }) =>
  `${action} ${target}`;
const ending = (/** @type {import('./checker/world.mjs').Operation} */ { kind, outcome }) =>
  `${kind} ${outcome}`;

async function main() {
  const options = readArguments();
  forgetForeignServers();
  allowRefusals();
  mkdirSync(INSTANCE.base, { recursive: true });
  const folder = path.join(INSTANCE.data, DISK_OF);
  endDisk(folder);
  await platform.beginAnew();
  await installClockLibrary();
  const disk = openDisk({ folder, image: path.join(INSTANCE.base, 'disk.img') });
  if (!disk) say('The disk of the store is not filled: nobody may mount one here');
  const historyFile = path.join(INSTANCE.base, 'history.ndjson');
  say(`\nSeed ${options.seed}, ${options.seconds} s`);
  const { world, faults, kinds, statuses, loadSeconds } = await rehearse({
    ...options,
    platform,
    historyFile,
    stage: withFaults({ ...options, platform, folder: INSTANCE.base, disk }),
  });
  const rows = checkAll(world);
  describe({ world, faults, statuses, loadSeconds });
  say(`History   ${shown(historyFile)}\n\n${renderInvariants(rows)}`);
  const tried = options.withSelfTest ? selfTest(world, say) : undefined;
  const missed = tried?.missed ?? [];
  const planted = tried && { count: tried.planted, missing: tried.missing };
  const lacking = unproven({ rows, faults, kinds, planted });
  if (lacking.length > 0) say(`\nProves less than it should:\n  ${lacking.join('\n  ')}`);
  writeFileSync(
    path.join(INSTANCE.base, 'report.json'),
    `${JSON.stringify({ ...options, faults, rows, missed, unproven: lacking }, null, 2)}\n`,
  );
  const violated = rows.filter(({ violations }) => violations.length > 0).length;
  const failed = violated + missed.length + lacking.length;
  if (failed > 0) process.exitCode = 1;
  say(
    failed === 0
      ? '\nEvery invariant holds.'
      : `\nRepeat it with: npm run chaos -- --seconds ${options.seconds} --seed ${options.seed}`,
  );
}

await playToTheEnd(() => platform, main);
