import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readLibrary } from '../published-library';

/** The files of the page, by the path that the page asks for below its assets. */
export interface PageAssets {
  /** Changes with any of them, so that browsers may keep each for good. */
  version: string;
  files: ReadonlyMap<string, Buffer>;
}

/** Reads the files once: they are few, small, and the same until the next start. */
export function readPageAssets(): PageAssets {
  const folder = path.dirname(require.resolve('@laurel/portal-page/package.json'));
  const files = new Map([
    ...filesIn(path.join(folder, 'dist'), '.js'),
    ...filesIn(path.join(folder, 'styles'), '.css'),
    ...libraries(folder),
  ]);
  const digest = createHash('sha256');
  for (const [name, content] of files) digest.update(name).update(content);
  return { version: digest.digest('hex').slice(0, 12), files };
}

/** Libraries stand where the page's own modules import them from; nothing is bundled. */
const libraries = (folder: string): [string, Buffer][] => [
  ['vendor/preact.js', readLibrary(folder, '../preact/standalone.module.js', ['htm', 'preact'])],
  ['vendor/qr.js', readLibrary(folder, 'index.mjs', ['uqr'])],
];

function filesIn(folder: string, ending: string): [string, Buffer][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => [name.split(path.sep).join('/'), readFileSync(path.join(folder, name))]);
}
