// npm run demo: a year of a coffee chain, played into the running platform through its public API.
//
//   npm start                                    in one terminal
//   npm run demo                                 in another
//   npm run demo -- --members 200 --visits 6     a smaller town
//   npm run demo -- --url URL --token TOKEN      a platform elsewhere (its webhooks must reach this machine)
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { MAIN_INSTANCE } from '../../deploy/local/lib/paths.mjs';
import { explain, SetupError, say } from '../../deploy/local/lib/progress.mjs';
import { readPrivate } from '../../deploy/local/lib/secrets.mjs';
import { readState } from '../../deploy/local/lib/state.mjs';
import { createRandom } from '../lib/random.mjs';
import { CHAPTERS } from './chapters/index.mjs';
import { connect } from './platform.mjs';
import { openReceiver } from './receiver.mjs';

helpIfAsked();

function readArguments() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      members: { type: 'string', default: '2000' },
      visits: { type: 'string', default: '12' },
      seed: { type: 'string', default: '2025' },
    },
  });
  const baseUrl = values.url ?? readState(MAIN_INSTANCE.state)?.baseUrls[0];
  const token = values.token ?? readPrivate(MAIN_INSTANCE.demo)?.token;
  if (!baseUrl || !token)
    throw new SetupError(
      'Laurel is not running: start it with npm start, or give --url and --token.',
    );
  const [members, visits, seed] = [values.members, values.visits, values.seed].map(Number);
  return {
    baseUrl,
    token,
    size: { members: Number(members), visits: Number(visits) },
    seed: Number(seed),
  };
}

async function main() {
  const { baseUrl, token, size, seed } = readArguments();
  const platform = connect({ baseUrl, token });
  const receiver = await openReceiver();
  /** @type {import('./chapters/index.mjs').Story} */
  const story = {
    platform,
    laurel: platform.laurel,
    receiver,
    size,
    random: createRandom(seed, 'demo'),
    members: [],
    entries: 0,
    figures: { issued: 0, spent: 0, takenBack: 0 },
    summary: [],
    problems: [],
  };
  const since = performance.now();
  try {
    for (const [index, { title, play }] of CHAPTERS.entries()) {
      say(`\n${index + 1}. ${title}`);
      await play(story);
    }
  } catch (error) {
    // What had been done until then is worth telling.
    story.problems.push(/** @type {Error} */ (error).message);
  }
  receiver.close();
  tell(story, (performance.now() - since) / 1_000);
}

/** @param {import('./chapters/index.mjs').Story} story @param {number} seconds */
function tell({ platform, entries, summary, problems }, seconds) {
  const { requests, limited, waitedMs } = platform.counts;
  const waited =
    limited > 0 ? `; ${limited} times told to wait, ${Math.round(waitedMs / 1_000)} s in all` : '';
  const rows = [
    ...summary,
    [
      'Requests',
      `${requests} in ${seconds.toFixed(1)} s, ${(requests / seconds).toFixed(1)}/s${waited}`,
    ],
    ['Ledger', `${Math.round(entries / seconds)} entries/s over the whole year`],
  ];
  say(`\n${rows.map(([label = '', value]) => `  ${label.padEnd(18)} ${value}`).join('\n')}\n`);
  for (const problem of problems) say(`  ✗ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
