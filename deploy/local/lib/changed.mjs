// What a change can break, in the order of its nearness, and how much of that there is time for.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { testsOf } from './jest.mjs';
import { ROOT } from './paths.mjs';
import { run } from './processes.mjs';
import { say } from './progress.mjs';

/** Where changes are compared with unless somebody says otherwise. */
const MAIN = 'main';
/** Long enough for the files that a change is about, short enough to wait for. */
const BUDGET_SECONDS = 90;
/** Until a file has been timed here. @type {Record<string, number>} */
const GUESSED_SECONDS = { unit: 1, integration: 8, e2e: 8 };
/** The platform has to be there first. */
const PLATFORM_SECONDS = 20;
const WORKERS = 2;
/** What a change breaks most often, and what is known in seconds. */
const QUICK_CHECKS = [
  'types',
  'types of scripts',
  'lint and format',
  'import rules and tidiness',
  'house rules',
];

/** @param {string[]} args @returns {Promise<string[]>} the lines that git answers */
const git = async (...args) =>
  (await run('git', args, { cwd: ROOT })).split('\n').filter((line) => line !== '');

/**
 * Where this change began: where it left main, or, on main itself, the commit before.
 *
 * @returns {Promise<string>} what git calls a commit
 */
async function beginning() {
  const [own] = await git('rev-parse', 'HEAD');
  const [left] = await git('merge-base', MAIN, 'HEAD').catch(() => []);
  return left === undefined || left === own ? 'HEAD~' : left;
}

/**
 * The files that are other than they were, committed or not, and those that are new. A file that is gone is missed by
 * whatever named it, which the types tell.
 *
 * @param {string} [since] what git calls a commit
 * @returns {Promise<string[]>} relative to the top folder
 * @throws {Error} where git knows no such commit
 */
async function changedFiles(since) {
  const from = since ?? (await beginning());
  const changed = await git('diff', '--name-only', '--diff-filter=d', from, '--');
  const added = await git('ls-files', '--others', '--exclude-standard');
  return [...new Set([...changed, ...added])].filter((file) => existsSync(path.join(ROOT, file)));
}

/** What is generated of a changed file stands for it: no test imports a proto. @param {string} file */
export const sourceOf = (file) => (file.startsWith('protos/') ? 'packages/rpc/src/index.ts' : file);

/**
 * The end-to-end tests that bear the name of a service that has changed: they reach it over HTTP and import nothing of it.
 *
 * @param {readonly string[]} changed relative to the top folder
 * @param {readonly string[]} [names] of the files in e2e
 * @returns {string[]}
 */
export function endToEndOf(changed, names = readdirSync(path.join(ROOT, 'e2e'))) {
  const services = new Set(changed.flatMap((file) => /^services\/([^/]+)\//.exec(file)?.[1] ?? []));
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => [...services].some((service) => name.startsWith(service)))
    .map((name) => `e2e/${name}`);
}

/** @param {string} file relative to the top folder @returns {string} the project of jest it belongs to */
export function projectOf(file) {
  if (file.startsWith('e2e/restarts/')) return 'restarts';
  if (file.startsWith('e2e/')) return 'e2e';
  return file.endsWith('.int.test.ts') ? 'integration' : 'unit';
}

/** How many folders two files share, counted from the top. @param {string} one @param {string} other */
function shared(one, other) {
  const [ours, theirs] = [one.split('/'), other.split('/')];
  const parting = ours.findIndex((name, index) => name !== theirs[index]);
  return parting < 0 ? ours.length : parting;
}

/**
 * The tests that there is time for, nearest to the change first: those beside it, then those of its room, its package,
 * and of what uses it. Restarts take longer than anybody waits for.
 *
 * @param {readonly string[]} related test files that import what has changed, relative to the top folder
 * @param {{ changed: readonly string[], seconds: Readonly<Record<string, number>>, budgetSeconds?: number }} known what
 *   files took the last time
 * @returns {{ chosen: string[], left: string[] }}
 */
export function chooseNear(related, { changed, seconds, budgetSeconds = BUDGET_SECONDS }) {
  const nearness = (/** @type {string} */ file) =>
    Math.max(0, ...changed.map((one) => shared(file, one)));
  const near = related
    .map((file) => ({ file, project: projectOf(file), near: nearness(file) }))
    .sort((a, b) => b.near - a.near || (a.file < b.file ? -1 : 1));
  let left = budgetSeconds * WORKERS;
  let hasPlatform = false;
  const chosen = [];
  for (const { file, project } of near) {
    const guessed = GUESSED_SECONDS[project];
    if (guessed === undefined) continue;
    const starts = project === 'e2e' && !hasPlatform ? PLATFORM_SECONDS * WORKERS : 0;
    const costs = starts + (seconds[file] ?? guessed);
    if (costs > left) continue;
    left -= costs;
    hasPlatform ||= project === 'e2e';
    chosen.push(file);
  }
  return { chosen, left: related.filter((file) => !chosen.includes(file)) };
}

/**
 * What is to run because of a change, as far as two minutes go; says what they are too short for.
 *
 * @param {string | undefined} since what git calls a commit; without it where the change left main
 * @param {Readonly<Record<string, number>>} seconds what each file took the last time
 * @returns {Promise<{ stages: string[], paths: string[], checks: readonly string[] }>}
 */
export async function chooseByChange(since, seconds) {
  const changed = await changedFiles(since);
  const related = await testsOf(changed.map(sourceOf));
  const all = [...new Set([...related, ...endToEndOf(changed)])];
  const { chosen, left } = chooseNear(all, { changed, seconds });
  say(`\n${changed.length} files changed, which ${all.length} test files can notice`);
  if (left.length > 0)
    say(`${left.length} of them are left to the whole run:\n  ${left.join('\n  ')}`);
  return {
    stages: ['checks', ...new Set(chosen.map(projectOf))],
    paths: chosen.map((file) => `^${file}$`),
    checks: QUICK_CHECKS,
  };
}
