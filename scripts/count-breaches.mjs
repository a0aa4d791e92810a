// Counts what breaks the house rules. `node scripts/count-breaches.mjs` writes down what is left, never a larger number.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { filesBelow } from '../deploy/local/lib/stamps.mjs';
import { countOpenings } from './collection-rules.mjs';
import { compareToLeft, countByFile } from './house-rules.mjs';

/** @typedef {import('./house-rules.mjs').Counts} Counts */

const LIST = path.join(ROOT, 'scripts/house-rules.left.json');

/** @returns {Promise<Counts>} */
async function countBreaches() {
  const biome = path.join(ROOT, 'node_modules/.bin/biome');
  const config = '--config-path=scripts/house-rules.biome.json';
  const options = ['--reporter=json', '--max-diagnostics=none', '--colors=off'];
  // It exits with 1 where it finds something, which is no failure here.
  const { stdout } = await promisify(execFile)(
    biome,
    ['lint', config, ...options, 'services', 'packages'],
    { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 },
  ).catch((/** @type {{ stdout: string }} */ failed) => failed);
  /** @type {{ diagnostics: { category: string, location: { path: string } }[] }} */
  const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const counts = countByFile(
    report.diagnostics.map(({ category, location }) => ({ category, file: location.path })),
  );
  return { ...counts, 'collections opened without being declared': countOpenings(readServices()) };
}

/** @returns {import('./collection-rules.mjs').Source[]} in the order of their names */
const readServices = () =>
  filesBelow([path.join(ROOT, 'services')])
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      file: path.relative(ROOT, file).split(path.sep).join('/'),
      source: readFileSync(file, 'utf8'),
    }))
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));

/** @returns {Counts} */
const readLeft = () => JSON.parse(readFileSync(LIST, 'utf8'));

/** Fails with what the list does not say. */
export async function checkHouseRules() {
  const complaints = compareToLeft(await countBreaches(), readLeft());
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await countBreaches();
  const left = readLeft();
  for (const [rule, files] of Object.entries(found))
    for (const [file, count] of Object.entries(files)) {
      const allowed = left[rule]?.[file] ?? 0;
      if (count > allowed) {
        console.error(`${file}: ${count} ${rule}, ${allowed} are allowed; the list only shrinks`);
        process.exitCode = 1;
        files[file] = allowed;
      }
    }
  writeFileSync(LIST, `${JSON.stringify(found, null, 2)}\n`);
}
