// Where everything of the platform on one machine is kept.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's top folder. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** What is installed once and shared by every instance: `--fresh` leaves it alone. */
export const LOCAL = path.join(ROOT, '.local');

/**
 * The folders and files of one running platform. `npm start` and `npm test` each have an instance of their own, so
 * that they work side by side.
 *
 * @typedef {ReturnType<typeof instanceAt>} Instance
 * @param {string} base
 * @param {{ usualPorts?: boolean }} [options] whether its servers listen where people look for them, or as near as is free
 */
export function instanceAt(base, { usualPorts = false } = {}) {
  return {
    base,
    usualPorts,
    data: path.join(base, 'data'),
    logs: path.join(base, 'logs'),
    outbox: path.join(base, 'outbox'),
    secrets: path.join(base, 'secrets.json'),
    demo: path.join(base, 'demo.json'),
    state: path.join(base, 'run.json'),
  };
}

export const MAIN_INSTANCE = instanceAt(LOCAL, { usualPorts: true });
export const TEST_INSTANCE = instanceAt(path.join(LOCAL, 'test'));

/**
 * A path as a person would type it from the repository's top folder.
 *
 * @param {string} file
 */
export const shown = (file) => path.relative(ROOT, file) || '.';
