import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file as it is, and as it was packed when the page was built. */
export interface PageFile {
  content: Buffer;
  packed: { br?: Buffer; gzip?: Buffer };
}

/** What a page was built to. */
export interface BuiltPage {
  /** The frame that names the files. */
  frame: string;
  /** By their path below the place of the page, e.g. `assets/main-B1x.js`. */
  files: ReadonlyMap<string, PageFile>;
}

const FRAME = 'index.html';
const PACKED = /\.(br|gz)$/;

/** Reads the files of a page once: they are few, small, and the same until the next start. */
export function readBuiltPage(packageName: string): BuiltPage {
  const manifest = require.resolve(`${packageName}/package.json`);
  return readPageFolder(path.join(path.dirname(manifest), 'dist'));
}

/** @param folder holds the frame `index.html`, and beside each file its packed forms `.br` and `.gz` where they are smaller */
export function readPageFolder(folder: string): BuiltPage {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !PACKED.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  const files = new Map(names.map((name) => [name.split(path.sep).join('/'), read(folder, name)]));
  const frame = files.get(FRAME)!.content.toString('utf8');
  files.delete(FRAME);
  return { frame, files };
}

function read(folder: string, name: string): PageFile {
  const file = path.join(folder, name);
  const packedAs = (ending: string) =>
    existsSync(`${file}${ending}`) ? readFileSync(`${file}${ending}`) : undefined;
  const [br, gzip] = [packedAs('.br'), packedAs('.gz')];
  return { content: readFileSync(file), packed: { ...(br && { br }), ...(gzip && { gzip }) } };
}
