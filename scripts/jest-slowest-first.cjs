// What takes long begins first: a long file that begins last keeps the stage waiting with one processor idle.
const { existsSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..');
/** What each file took here the last time, as `npm test` wrote it down. */
const TIMED = path.join(ROOT, '.local/test/seconds.json');
/** Without that, as in a fresh clone: the files that are known to be slow, the slowest first. */
const SLOW = require('../deploy/local/slow-tests.json');

/**
 * How long a file is expected to take, in a unit of its own: only the order matters.
 *
 * @param {string} file relative to the top folder
 * @param {Record<string, number>} seconds
 * @param {(file: string) => number} sizeOf
 */
function weightOf(file, seconds, sizeOf) {
  const timed = seconds[file];
  if (timed !== undefined) return timed;
  const place = SLOW.indexOf(file);
  return place < 0 ? sizeOf(file) / 10_000 : 1_000 - place;
}

module.exports = class SlowestFirst {
  constructor() {
    this.seconds = existsSync(TIMED) ? JSON.parse(readFileSync(TIMED, 'utf8')) : {};
  }

  sort(tests) {
    const sizeOf = (file) => statSync(path.join(ROOT, file)).size;
    const weighed = [...tests].map((test) => ({
      test,
      weight: weightOf(path.relative(ROOT, test.path), this.seconds, sizeOf),
    }));
    return weighed.sort((a, b) => b.weight - a.weight).map(({ test }) => test);
  }

  /** Jest asks for it; `npm test` keeps the times, of all stages together. */
  cacheResults() {}
};
