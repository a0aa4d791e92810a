// The tests of one domain and the code they test, loaded by hand: anew for each mutant, in milliseconds.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { LOCAL, ROOT } from '../../deploy/local/lib/paths.mjs';

const requireAtRoot = createRequire(path.join(ROOT, 'package.json'));
const swc = requireAtRoot('@swc/core');
const fastCheck = requireAtRoot('fast-check');
/** @type {any[]} */
const jestProjects = requireAtRoot('./jest.config.cjs').projects;
/** What Jest is configured with, so that the same code runs here. */
const [, swcOptions] = Object.values(jestProjects[0].transform)[0];

const RUNS_MAX = 10;
const SEED = 20_251_121;

/**
 * The same few inputs each time, so that a score is no matter of luck. npm test proves the laws on many more; here they
 * only have to notice a broken rule, and a counterexample is not shrunk, for no reader wants it.
 *
 * @param {any} property
 * @param {any} parameters
 */
const assertOnFew = (property, parameters = {}) =>
  fastCheck.assert(property, {
    ...parameters,
    seed: SEED,
    numRuns: Math.min(parameters.numRuns ?? RUNS_MAX, RUNS_MAX),
    endOnFailure: true,
  });
const fewRuns = {
  ...fastCheck,
  assert: assertOnFew,
  default: { ...fastCheck.default, assert: assertOnFew },
};

/** What `npm run mutate` breaks under a name, handed to the runners, which are processes of their own. @param {string} target */
const mutatedFile = (target) => path.join(LOCAL, 'mutation', `${target}-mutated.json`);

/** @param {string} target @param {readonly string[]} mutated files and folders, relative to the top folder */
export function tellRunners(target, mutated) {
  const file = mutatedFile(target);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(mutated));
}

/** A sandbox lies in a folder of its target's name. @param {string} sandbox @returns {string[]} */
function mutatedIn(sandbox) {
  const file = mutatedFile(path.basename(path.dirname(sandbox)));
  /** @type {string[]} */
  const mutated = JSON.parse(readFileSync(file, 'utf8'));
  return mutated.map((name) => path.join(sandbox, name));
}

/** Of whole stories: too long for hundreds of mutants. The examples must do without them. */
const STORIES = 'model.test.ts';

/** @param {string} name */
const isTest = (name) =>
  name.endsWith('.test.ts') && !name.endsWith('.int.test.ts') && path.basename(name) !== STORIES;

/**
 * The unit tests of what is broken: those in its folders, and those beside its files.
 *
 * @param {readonly string[]} mutated folders and files
 */
export function testFilesOf(mutated) {
  return mutated.flatMap((entry) => {
    if (entry.endsWith('.ts')) return [entry.replace(/\.ts$/, '.test.ts')].filter(existsSync);
    const names = readdirSync(entry, { recursive: true, encoding: 'utf8' });
    return names.filter(isTest).map((name) => path.join(entry, name));
  });
}

/** The same of what is broken in a sandbox. @param {string} sandbox */
export const testFilesIn = (sandbox) => testFilesOf(mutatedIn(sandbox));

/** @type {Map<string, Function>} */
const compiled = new Map();

/**
 * A file as a function of what it may name. Compiled once: the mutants are all in it, and one of them is switched on.
 *
 * @param {string} file
 * @param {string[]} names
 */
function compile(file, names) {
  const known = compiled.get(file);
  if (known) return known;
  const { code } = swc.transformSync(readFileSync(file, 'utf8'), { filename: file, ...swcOptions });
  const script = new vm.Script(`(function (${names.join(', ')}) {${code}\n})`, { filename: file });
  const made = script.runInThisContext();
  compiled.set(file, made);
  return made;
}

/** Modules of packages/: where they are not mutated, they need no second evaluation. @type {Map<string, any>} */
const unchanging = new Map();

/**
 * Evaluates files and all that they import, as if for the first time.
 *
 * @param {string} sandbox
 * @param {Record<string, unknown>} globals such as `test` and `expect`
 * @returns {(file: string) => unknown} loads a file, and what it imports once
 */
export function loaderOf(sandbox, globals) {
  const packages = path.join(sandbox, 'packages');
  const mutatesPackages = mutatedIn(sandbox).some((entry) => entry.startsWith(packages));
  const registry = new Map();

  const load = (/** @type {string} */ file) => {
    const modules = file.startsWith(packages) && !mutatesPackages ? unchanging : registry;
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const require = (/** @type {string} */ name) => resolve(name, file);
    require.resolve = createRequire(file).resolve;
    const scope = { exports: module.exports, module, require, ...globals };
    compile(file, Object.keys(scope))(...Object.values(scope));
    return module.exports;
  };

  const resolve = (/** @type {string} */ name, /** @type {string} */ from) => {
    if (name === 'fast-check') return fewRuns;
    const own = /^@laurel\/([a-z-]+)(?:\/([a-z]+))?$/.exec(name);
    if (own) return load(path.join(packages, String(own[1]), 'src', `${own[2] ?? 'index'}.ts`));
    if (!name.startsWith('.')) return createRequire(from)(name);
    const base = path.resolve(path.dirname(from), name);
    return load(existsSync(`${base}.ts`) ? `${base}.ts` : path.join(base, 'index.ts'));
  };

  return load;
}
