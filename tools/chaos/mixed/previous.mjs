// The release before, built beside this one.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { LOCAL, ROOT } from '../../../deploy/local/lib/paths.mjs';
import { run } from '../../../deploy/local/lib/processes.mjs';
import { step } from '../../../deploy/local/lib/progress.mjs';

/** @param {string[]} args */
async function git(...args) {
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT });
  return stdout.trim();
}

/**
 * The commit that is taken for the release before: the one named, else that of the newest tag, else the one that
 * compatibility is compared with (scripts/released).
 *
 * @param {string | undefined} named
 */
async function commitOf(named) {
  const [tag] = (await git('tag', '--list', 'v*', '--sort=-version:refname')).split('\n');
  const from =
    named ??
    (tag || (await git('log', '-1', '--format=%H', '--', 'scripts/released/surface.txt.gz')));
  return git('rev-parse', '--verify', `${from}^{commit}`);
}

/**
 * A checkout of the release before, installed and built; kept for the next run.
 *
 * @param {string | undefined} named
 * @returns {Promise<{ commit: string, root: string }>}
 */
export async function previousRelease(named) {
  const commit = await commitOf(named);
  const root = path.join(LOCAL, 'mixed', commit.slice(0, 12));
  const stamp = path.join(root, '.local/built');
  if (!existsSync(stamp)) await step(`Building ${commit.slice(0, 12)}`, () => build(commit, root));
  writeFileSync(stamp, '');
  return { commit, root };
}

/** @param {string} commit @param {string} root */
async function build(commit, root) {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(path.join(root, '.local'), { recursive: true });
  const archive = path.join(root, '.local/archive.tar');
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', root], { cwd: root });
  // The linter of this checkout would take it for a setting of its own.
  rmSync(path.join(root, 'biome.json'), { force: true });
  const prepare = "import('./deploy/local/lib/workspace.mjs').then((w) => w.prepareWorkspace())";
  await run(process.execPath, ['--input-type=module', '--eval', prepare], { cwd: root });
}
