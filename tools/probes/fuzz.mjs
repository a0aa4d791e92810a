// npm run fuzz: malformed, hostile and extreme requests to every operation of the OpenAPI document, on a platform that
// is started for it. No answer may be above 499 but admission, slow, large or tell of what is inside.
//
//   npm run fuzz -- --inputs 3000            so many for each operation; 200 unless it is given
//   npm run fuzz -- --seed 7                 the same inputs again
//   npm run fuzz -- --only /segments         operations whose name holds the text
//   npm run fuzz -- --url http://localhost:8080   a platform that runs already, its limits raised
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { instanceAt, LOCAL, shown } from '../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { SetupError, say } from '../../deploy/local/lib/progress.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { createHttp, parsed } from '../lib/raw-http.mjs';
import { createFuzzer } from './fuzzer.mjs';
import { inParallel } from './matrix.mjs';
import { operationsOf } from './operations.mjs';
import { openSink } from './sink.mjs';

helpIfAsked();

const INSTANCE = instanceAt(path.join(LOCAL, 'fuzz'));
const CONNECTIONS = 8;
const LIMITS = ['TOKEN', 'IP', 'LOGIN', 'PAIR', 'PORTAL_SESSION', 'PORTAL_ERASE', 'ENROLL'];
const SETTINGS = {
  TRUST_PROXY: '1',
  CHECKPOINT_INTERVAL_SECONDS: '60',
  CHECKPOINT_MARGIN_SECONDS: '2',
  // What is limited is not fuzzed.
  ...Object.fromEntries(LIMITS.map((name) => [`RATE_LIMIT_${name}_PER_MINUTE`, '1000000'])),
};

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        inputs: { type: 'string', default: '200' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
        only: { type: 'string', default: '' },
        url: { type: 'string' },
      },
    });
    const [inputs, seed] = /** @type {[number, number]} */ (
      [values.inputs, values.seed].map(Number)
    );
    if (![inputs, seed].every((number) => Number.isInteger(number) && number >= 0))
      throw new Error('--inputs and --seed take whole numbers');
    return { inputs, seed, only: values.only, url: values.url };
  } catch (error) {
    throw new SetupError(/** @type {Error} */ (error).message);
  }
}

const platform = new Platform(INSTANCE);

async function startPlatform() {
  await platform.beginAnew();
  const urls = await platform.startInfrastructure();
  return startGateway(platform, urls, { settings: SETTINGS });
}

/** The first finding of each kind in full, as it comes. */
function createReporter() {
  /** @type {Map<string, number>} */
  const kinds = new Map();
  /** @param {import('./fuzzer.mjs').Finding} finding */
  const onFinding = ({ operation, what, problem, request, answer }) => {
    const kind = `${operation}: ${problem.replace(/\d+ (ms|bytes)/, 'N $1')}`;
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    if (count === 1) say(`\n${kind}, with ${what}\n  ${JSON.stringify(request)}\n  ${answer}`);
  };
  return { kinds, onFinding };
}

async function main() {
  const { inputs, seed, only, url } = readArguments();
  const http = createHttp([url ?? (await startPlatform())], CONNECTIONS);
  const outside = await openSink();
  const { text } = await http.send({ method: 'GET', path: '/openapi.json', headers: {} });
  const operations = operationsOf(parsed(text));
  const startedAt = Date.now();
  const { kinds, onFinding } = createReporter();
  const given = { http, outside: outside.url, operations, seed, onFinding };
  const fuzzer = await createFuzzer(given);
  say(`\nSeed ${seed}, ${inputs} inputs for each of ${operations.length} operations`);
  await inParallel(
    operations.filter(({ id }) => id.includes(only)),
    (operation) => fuzzer.fuzz(operation, inputs),
  );
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const alive = await http.send({ method: 'GET', path: '/health/live', headers: {} });
  http.close();
  outside.close();
  const { counts, statuses, findings } = fuzzer;
  mkdirSync(INSTANCE.base, { recursive: true });
  const report = path.join(INSTANCE.base, 'report.json');
  writeFileSync(
    report,
    `${JSON.stringify({ seed, inputs, seconds, counts, statuses, findings }, null, 2)}\n`,
  );
  say(`\nOperations ${counts.operations}, ${counts.withBase} of them from a valid request`);
  say(`Requests   ${counts.requests} in ${seconds} s, ${counts.accepted} writes taken`);
  say(
    `Answers    ${JSON.stringify(statuses)}, the slowest after ${Math.round(counts.slowestMs)} ms`,
  );
  for (const [kind, count] of kinds) say(`  ${count} times ${kind}`);
  say(`Findings   ${findings.length} of ${kinds.size} kinds; ${shown(report)}`);
  if (findings.length > 0 || alive.status !== 200) process.exitCode = 1;
}

await playToTheEnd(() => platform, main);
