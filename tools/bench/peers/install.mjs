// Directus and medici from npm, once, apart from the workspace; PostgreSQL is that of the local database engine.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { installDocumentdb, isInstalled } from '../../../deploy/local/documentdb.mjs';
import { LOCAL, shown } from '../../../deploy/local/lib/paths.mjs';
import { run } from '../../../deploy/local/lib/processes.mjs';
import { SetupError, say, step } from '../../../deploy/local/lib/progress.mjs';
import { runtimeFor } from '../../../deploy/local/lib/runtime.mjs';
import { isStamped, stamp } from '../../../deploy/local/lib/stamps.mjs';

/** What is measured: each in one version, so that two runs measure the same. medici does its work through mongoose. */
export const PEERS = { directus: '12.4.0', medici: '7.4.0', mongoose: '8.24.10' };
const FOLDER = path.join(LOCAL, 'peers');

/** @typedef {{ root: string, run: string, load: NodeJS.Require }} Installed `run`: where what was started keeps its files */

/**
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Installed>}
 * @throws {SetupError} where npm cannot be reached, or does not bring them
 */
export async function installPeers({ folder = FOLDER, env = process.env } = {}) {
  const wanted = JSON.stringify({ private: true, dependencies: PEERS }, null, 2);
  const stampFile = path.join(folder, 'installed');
  if (!isStamped(stampFile, wanted)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), wanted);
    await installWithNpm(folder, { ...env, ...buildingFor(runtimeFor(), env.PATH) });
    stamp(stampFile, wanted);
  }
  const scratch = path.join(folder, 'run');
  mkdirSync(scratch, { recursive: true });
  return { root: folder, run: scratch, load: createRequire(path.join(folder, 'package.json')) };
}

/**
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
async function installWithNpm(folder, env) {
  const npm = (/** @type {string[]} */ ...args) => run('npm', args, { cwd: folder, env });
  try {
    await npm('ping', '--fetch-retries=0', '--fetch-timeout=15000');
  } catch (error) {
    throw new SetupError(
      `Directus and medici come from npm, which cannot be reached from here: ${reasonOf(error)}`,
    );
  }
  const names = Object.entries(PEERS).map((peer) => peer.join(' '));
  await step(`Installing ${names.join(', ')} (some minutes, once)`, () =>
    npm('install', '--no-audit', '--no-fund').catch((error) => {
      throw new SetupError(
        `npm did not bring Directus and medici into ${shown(folder)}: ${error.message}`,
      );
    }),
  );
}

/** What went wrong, of all that npm says about it. @param {unknown} error */
function reasonOf(error) {
  const { message } = /** @type {Error} */ (error);
  const said = message.split('\n').filter((line) => line.startsWith('npm error'));
  const reason = said.find((line) => line.includes('reason:')) ?? said[0] ?? message;
  return reason.replace('npm error ', '');
}

/**
 * What is compiled while it is installed is compiled for the Node.js that will run it, by the headers that came with that.
 *
 * @param {string} runtime
 * @param {string | undefined} onPath
 * @returns {NodeJS.ProcessEnv}
 */
function buildingFor(runtime, onPath) {
  const home = path.dirname(path.dirname(runtime));
  return {
    PATH: `${path.dirname(runtime)}${path.delimiter}${onPath}`,
    ...(existsSync(path.join(home, 'include/node')) ? { npm_config_nodedir: home } : {}),
  };
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
