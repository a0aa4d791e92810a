// Remembering what was installed or built, so that the second start skips it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated', '.local', '.git', 'coverage']);

/**
 * Every file below the given files and folders, sorted.
 *
 * @param {string[]} from
 * @returns {string[]}
 */
export function filesBelow(from) {
  return from.flatMap((entry) => {
    if (!existsSync(entry)) return [];
    if (!statSync(entry).isDirectory()) return [entry];
    return filesBelow(
      readdirSync(entry)
        .filter((name) => !NOT_SOURCES.has(name) && !name.endsWith('.tsbuildinfo'))
        .sort()
        .map((name) => path.join(entry, name)),
    );
  });
}

/**
 * One digest over names and contents.
 *
 * @param {string[]} files
 */
export function digestOf(files) {
  const digest = createHash('sha256');
  for (const file of files)
    digest.update(file).update('\0').update(readFileSync(file)).update('\0');
  return digest.digest('hex');
}

/**
 * @param {string} stampFile
 * @param {string} digest
 */
export const isStamped = (stampFile, digest) =>
  existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest;

/**
 * @param {string} stampFile
 * @param {string} digest
 */
export function stamp(stampFile, digest) {
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, digest);
}
