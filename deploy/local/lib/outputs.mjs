// What a build leaves behind of sources that are gone: the compiler never removes what it once wrote.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const OUTPUT = /\.(d\.ts|js)(\.map)?$/;
const SOURCES = ['.ts', '.tsx', '.mts'];

/**
 * Removes from `dist` whatever has no source of its name in `src` any more, so that nothing runs that is not there.
 *
 * @param {string} folder of a package or service
 * @returns {string[]} what was removed, below `dist`
 */
export function removeStaleOutputs(folder) {
  const dist = path.join(folder, 'dist');
  if (!existsSync(dist)) return [];
  const stale = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const source = path.join(folder, 'src', file.replace(OUTPUT, ''));
    return OUTPUT.test(file) && !SOURCES.some((ending) => existsSync(source + ending));
  });
  for (const file of stale) rmSync(path.join(dist, file));
  return stale;
}
