import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file as it is, and as it was packed when the page was built. */
export interface PageFile {
  /** Its path below the place of the page. */
  name: string;
  content: Buffer;
  packed: { br?: Buffer; gzip?: Buffer };
  /** The same for the same content, on every replica. */
  digest: string;
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
export const readBuiltPage = (packageName: string): BuiltPage =>
  readPageFolder(builtBy(packageName));

/** The same of what was built to many pages, none of which is their frame. */
export const readBuiltSite = (packageName: string): ReadonlyMap<string, PageFile> =>
  readFiles(builtBy(packageName));

const builtBy = (packageName: string): string =>
  path.join(path.dirname(require.resolve(`${packageName}/package.json`)), 'dist');

/** The API documents, as the build wrote them (scripts/write-documents.mjs). */
export const readApiDocument = (name: 'openapi.json' | 'asyncapi.json'): Buffer =>
  readFileSync(path.join(__dirname, '../../dist', name));

/** @param folder holds the frame `index.html`, and beside each file its packed forms `.br` and `.gz` where they are smaller */
export function readPageFolder(folder: string): BuiltPage {
  const files = readFiles(folder);
  const frame = files.get(FRAME)!.content.toString('utf8');
  files.delete(FRAME);
  return { frame, files };
}

/** All files below a folder, by their path in it; what is packed is no file of its own. */
export function readFiles(folder: string): Map<string, PageFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !PACKED.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  return new Map(names.map((name) => read(folder, name)).map((file) => [file.name, file]));
}

function read(folder: string, name: string): PageFile {
  const file = path.join(folder, name);
  const packedAs = (ending: string) =>
    existsSync(`${file}${ending}`) ? readFileSync(`${file}${ending}`) : undefined;
  const [br, gzip] = [packedAs('.br'), packedAs('.gz')];
  const content = readFileSync(file);
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  const packed = { ...(br && { br }), ...(gzip && { gzip }) };
  return { name: name.split(path.sep).join('/'), content, packed, digest };
}
