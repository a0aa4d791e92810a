// Reads what tsc built: what stands at the top level of a file, and what a text names of its own file and of others. One
// import stands on each line and is named wherever it is used, so text is enough.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} Module a built file
 * @property {Map<string, string>} imports the files behind the names that it imports them by
 * @property {Map<string, string>} parts what stands at its top level, by name
 */
/** @typedef {{ file: string, text: string }} Place */

const IMPORT = /^const (\w+) = (?:__importStar\()?require\("(\.[^"]+)"\)/gm;
const TOP_LEVEL = /^(?:exports\.)?(?:(?:async )?function\*? |const |let |class )?(\w+)/;

/** @type {Map<string, Module>} */
const modules = new Map();

/** @param {string} file @returns {Module} */
export function moduleOf(file) {
  const known = modules.get(file);
  if (known) return known;
  const source = readFileSync(file, 'utf8');
  const imports = new Map(
    [...source.matchAll(IMPORT)].map(([, name = '', to = '']) => [name, fileOf(file, to)]),
  );
  const parts = new Map();
  for (const part of source.split(/^(?=[a-z])/m)) {
    if (/^exports\.[\w.= ]+ = void 0;/.test(part)) continue;
    const name = TOP_LEVEL.exec(part)?.[1] ?? '';
    parts.set(name, `${parts.get(name) ?? ''}${part}`);
  }
  const module = { imports, parts };
  modules.set(file, module);
  return module;
}

/** @param {string} from @param {string} to */
function fileOf(from, to) {
  const target = path.resolve(path.dirname(from), to);
  return existsSync(`${target}.js`) ? `${target}.js` : path.join(target, 'index.js');
}

/** @param {string} folder @returns {string[]} */
export const builtFilesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'))
        .map((file) => path.join(folder, file))
    : [];

/** What a text names of its own file and of those that it imports. @param {string} file @param {string} text */
export function partsIn(file, text) {
  const { imports } = moduleOf(file);
  const foreign = [...text.matchAll(/\b(\w+_\d+)\.(\w+)/g)].map(([, from = '', name = '']) => {
    const target = imports.get(from);
    return target && !target.endsWith('refusals.js') ? partOf(target, name) : undefined;
  });
  return [...foreign, ...ownPartsIn(file, text).map((part) => ({ file, text: part }))];
}

/** @param {string} file @param {string} text @returns {string[]} */
function ownPartsIn(file, text) {
  const { parts } = moduleOf(file);
  // Comments name things, too, and so do words of the contract, as a status that is called as what leads to it.
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|'\w+'/gm, '');
  const named = [...code.matchAll(/(?<![.\w])([a-z]\w+)\b(?!:)/gi)].map(([, name = '']) => name);
  return [...new Set(named)].flatMap((name) => parts.get(name) ?? []);
}

/**
 * A thing by its name, also where a file only passes it on.
 *
 * @param {string} file
 * @param {string} name
 * @returns {Place | undefined}
 */
function partOf(file, name) {
  const { imports, parts } = moduleOf(file);
  const text = parts.get(name);
  if (text) return { file, text };
  const passedOn = new RegExp(`"${name}", \\{[^}]*return (\\w+_\\d+)\\.${name}`).exec(
    readFileSync(file, 'utf8'),
  );
  const target = passedOn && imports.get(passedOn[1] ?? '');
  return target ? partOf(target, name) : undefined;
}

/** @type {Map<string, string>} */
const sources = new Map();

/** @param {string} file */
export function sourceOf(file) {
  const known = sources.get(file) ?? readFileSync(file, 'utf8');
  sources.set(file, known);
  return known;
}
