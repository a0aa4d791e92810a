// Directus and medici from npm, once, apart from the workspace; PostgreSQL is that of the local database engine.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { installDocumentdb, isInstalled } from '../../../deploy/local/documentdb.mjs';
import { LOCAL, shown } from '../../../deploy/local/lib/paths.mjs';
import { run } from '../../../deploy/local/lib/processes.mjs';
import { SetupError, say, step } from '../../../deploy/local/lib/progress.mjs';
import { isStamped, stamp } from '../../../deploy/local/lib/stamps.mjs';

/** What is measured: each in one version, so that two runs measure the same. medici does its work through mongoose. */
export const PEERS = { directus: '12.4.0', medici: '7.4.0', mongoose: '8.24.10' };
/** What Directus runs on: a part of it is compiled when it is installed, and does not compile for Node.js 24 yet. */
export const NODE = '22.23.3';
const FOLDER = path.join(LOCAL, 'peers');

/** @typedef {{ root: string, run: string, node: string, load: NodeJS.Require }} Installed `run`: where what was started keeps its files */

/**
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Installed>}
 * @throws {SetupError} where npm cannot be reached, or does not bring them
 */
export async function installPeers({ folder = FOLDER, env = process.env } = {}) {
  const platform = `node-${process.platform}-${process.arch}`;
  const wanted = { ...PEERS, [platform]: NODE };
  const stampFile = path.join(folder, 'installed');
  const scratch = path.join(folder, 'run');
  const home = path.join(folder, 'node_modules', platform);
  if (!isStamped(stampFile, JSON.stringify(wanted))) {
    mkdirSync(scratch, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
    await installWithNpm({ folder, env, home }, wanted);
    stamp(stampFile, JSON.stringify(wanted));
  }
  return {
    root: folder,
    run: scratch,
    node: path.join(home, 'bin/node'),
    load: createRequire(path.join(folder, 'package.json')),
  };
}

/**
 * @param {{ folder: string, env: NodeJS.ProcessEnv, home: string }} place `home` will be that of the Node.js
 * @param {Record<string, string>} wanted versions by name
 */
async function installWithNpm({ folder, env, home }, wanted) {
  // What is compiled is compiled for the Node.js that will run it, by the headers that come with that.
  const PATH = [path.join(home, 'bin'), env.PATH].join(path.delimiter);
  const settings = { ...env, PATH, npm_config_nodedir: home };
  const npm = (/** @type {string[]} */ ...args) =>
    run('npm', args, { cwd: folder, env: existsSync(home) ? settings : env });
  try {
    await npm('ping', '--fetch-retries=0', '--fetch-timeout=15000');
  } catch (error) {
    throw new SetupError(
      `Directus and medici come from npm, which cannot be reached from here: ${reasonOf(error)}`,
    );
  }
  const peers = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
  await step(`Installing ${peers.join(', ')} (some minutes, once)`, async () => {
    try {
      // The Node.js first: the others are compiled for it.
      for (const names of [peers.slice(-1), peers])
        await npm('install', '--save-exact', '--no-audit', '--no-fund', ...names);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new SetupError(
        `npm did not bring Directus and medici into ${shown(folder)}: ${message}`,
      );
    }
  });
}

/** What went wrong, of all that npm says about it. @param {unknown} error */
function reasonOf(error) {
  const { message } = /** @type {Error} */ (error);
  const said = message.split('\n').filter((line) => line.startsWith('npm error'));
  const reason = said.find((line) => line.includes('reason:')) ?? said[0] ?? message;
  return reason.replace('npm error ', '');
}

/** @throws {SetupError} where Debian cannot be reached */
export async function installPostgres() {
  const root = path.join(LOCAL, 'engine');
  if (isInstalled(root)) return root;
  try {
    const progress = (/** @type {string} */ line) => say(`    ${line}`);
    await step('Installing PostgreSQL from Debian', () => installDocumentdb({ root, progress }));
  } catch (error) {
    const why = /** @type {Error} */ (error).message;
    throw new SetupError(
      `Directus keeps its items in PostgreSQL, which Debian did not bring: ${why}`,
    );
  }
  return root;
}
