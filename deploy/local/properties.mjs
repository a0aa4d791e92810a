// npm run properties: what npm test tries a few times from a fixed seed, tried many times from a new one: formulas against a
// reference, statements against entries, refunds, rules against their backtests. On real servers, like npm test.
//
//   npm run properties                            200 runs of each, a new seed
//   npm run properties -- --runs 1000 --seed 42   the same again
//   npm run properties -- services/ledger         only the test files whose path matches
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { helpIfAsked } from './lib/help.mjs';
import { ROOT } from './lib/paths.mjs';
import { runVisibly } from './lib/processes.mjs';
import { explain, SetupError, say } from './lib/progress.mjs';

/** What draws examples is a test of properties; it has its seed, and more runs where it asks for them, of scripts/jest-fast-check.cjs. */
const DRAWS_EXAMPLES = /from 'fast-check'/;
const SOURCES = ['packages', 'services'];

helpIfAsked();

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        runs: { type: 'string', default: '200' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
      },
    });
    const [runs, seed] = /** @type {[number, number]} */ ([values.runs, values.seed].map(Number));
    if (![runs, seed].every((number) => Number.isInteger(number) && number >= 0))
      throw new Error('--runs and --seed take whole numbers');
    return { runs, seed, paths: positionals };
  } catch (error) {
    throw new SetupError(/** @type {Error} */ (error).message);
  }
}

/** @returns {string[]} the property tests, by their paths from the repository's top folder */
function propertyTests() {
  const folders = SOURCES.flatMap((source) =>
    readdirSync(path.join(ROOT, source)).map((name) => path.join(source, name, 'src')),
  );
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter(
      (file) =>
        file.endsWith('.test.ts') &&
        DRAWS_EXAMPLES.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
}

async function main() {
  const { runs, seed, paths } = readArguments();
  const files = propertyTests().filter(
    (file) => paths.length === 0 || paths.some((wanted) => file.includes(wanted)),
  );
  if (files.length === 0) throw new SetupError(`No property test matches ${paths.join(' ')}`);
  const again = ['npm run properties -- --runs', runs, '--seed', seed, ...paths].join(' ');
  say(`Seed ${seed}, ${runs} runs of each property in ${files.length} files`);
  const test = path.join(ROOT, 'deploy/local/test.mjs');
  process.exitCode = await runVisibly(process.execPath, [test, ...files], {
    cwd: ROOT,
    env: { ...process.env, PROPERTY_RUNS: String(runs), PROPERTY_SEED: String(seed) },
  });
  say(`Seed ${seed}. Repeat it with: ${again}`);
}

main().catch((error) => {
  explain(error);
  process.exitCode = 1;
});
