// Which servers a command of an operator is about, and what it needs of this checkout.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MAIN_INSTANCE, ROOT } from './paths.mjs';
import { readState } from './state.mjs';
import { prepareWorkspace } from './workspace.mjs';

/** @typedef {'MONGODB_URI' | 'RABBITMQ_URL' | 'REDIS_URL'} Server */

/** @type {readonly Server[]} */
export const SERVERS = ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'];

/** Whether the environment names servers, itself or by a file. @param {NodeJS.ProcessEnv} environment */
export const namesServers = (environment) =>
  SERVERS.some((name) => environment[name] || environment[`${name}_FILE`]);

/**
 * The server that is meant: of the environment, by itself or in a file, else of the platform that npm start runs.
 *
 * @param {Server} name
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {string | undefined}
 */
export function serverMeant(name, environment = process.env) {
  const file = environment[`${name}_FILE`];
  if (environment[name]) return environment[name];
  return file ? readFileSync(file, 'utf8').trim() : readState(MAIN_INSTANCE.state)?.urls?.[name];
}

/** A fresh checkout is installed and built before its first command, as npm start would. */
export async function ensureBuilt() {
  if (!existsSync(path.join(ROOT, 'packages/backend/dist/index.js'))) await prepareWorkspace();
}
