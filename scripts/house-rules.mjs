// House rules that Biome knows and the usual lint leaves alone, because it would ask them of tests and tools, too
// (docs/adr/0025).
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../deploy/local/lib/paths.mjs';

/** What the linter calls each rule, and what to do where it is broken. */
const ADVICE = new Map([
  ['lint/complexity/noExcessiveLinesPerFunction', 'give its parts names'],
  ['lint/complexity/useMaxParams', 'make what belongs together one object'],
  ['lint/suspicious/noImportCycles', 'move what both need to a place of its own'],
]);

/**
 * @typedef {{ category: string, message: string, location: { path: string, start: { line: number } } }} Diagnostic
 */

/**
 * Functions over their length, functions of too many parameters, and imports that lead back to their file.
 *
 * @param {string} root the folder that has `services`, `packages` and these rules as `scripts/house-rules.biome.json`
 * @returns {Promise<string[]>} one line per violation
 */
export async function houseViolations(root) {
  const biome = path.join(ROOT, 'node_modules/.bin/biome');
  const config = '--config-path=scripts/house-rules.biome.json';
  const options = ['--reporter=json', '--max-diagnostics=none', '--colors=off'];
  // It exits with 1 where it finds something, which is no failure here.
  const { stdout } = await promisify(execFile)(
    biome,
    ['lint', config, ...options, 'services', 'packages'],
    { cwd: root, maxBuffer: 256 * 1024 * 1024 },
  ).catch((/** @type {{ stdout: string }} */ failed) => failed);
  /** @type {{ diagnostics: Diagnostic[] }} */
  const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
  // It also tells of comments that answer to rules of the usual lint.
  return report.diagnostics
    .filter(({ category }) => ADVICE.has(category))
    .map(
      ({ category, message, location }) =>
        `${location.path}:${location.start.line}: ${message} ${ADVICE.get(category)} (scripts/house-rules.biome.json)`,
    )
    .toSorted();
}

/** Fails with every violation. */
export async function checkHouseRules() {
  const violations = await houseViolations(ROOT);
  if (violations.length > 0) throw new Error(violations.join('\n'));
}
