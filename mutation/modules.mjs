// The tests of one domain and the code they test, loaded by hand: anew for each mutant, in milliseconds.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { ROOT } from '../deploy/local/lib/paths.mjs';

const requireAtRoot = createRequire(path.join(ROOT, 'package.json'));
const swc = requireAtRoot('@swc/core');
const fastCheck = requireAtRoot('fast-check');
/** @type {any[]} */
const jestProjects = requireAtRoot('./jest.config.cjs').projects;
/** What Jest is told, so that the same code runs here. */
const [, swcOptions] = Object.values(jestProjects[0].transform)[0];

const RUNS_MAX = 10;
const SEED = 20_251_121;

/**
 * The same few inputs each time, so that a score is no matter of luck. npm test proves the laws on many more; here they
 * only have to notice a broken rule, and a counterexample is not shrunk, for nobody reads it.
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

/**
 * The test files of the one domain in a sandbox. Whole stories of the ledger's model are left out: they are too long
 * for hundreds of mutants, and the examples must do without them.
 *
 * @param {string} sandbox
 */
export function testFilesIn(sandbox) {
  const domains = readdirSync(path.join(sandbox, 'services'))
    .map((service) => path.join(sandbox, 'services', service, 'src/domain'))
    .filter((folder) => existsSync(folder));
  return domains.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts') && name !== 'model.test.ts')
      .map((name) => path.join(folder, name)),
  );
}

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

/** Modules of packages/, which are not mutated and therefore need no second evaluation. @type {Map<string, any>} */
const unchanging = new Map();

/**
 * Evaluates files and all that they import, as if for the first time.
 *
 * @param {string} sandbox
 * @param {string[]} files
 * @param {Record<string, unknown>} globals such as `test` and `expect`
 */
export function evaluate(sandbox, files, globals) {
  const packages = path.join(sandbox, 'packages');
  const registry = new Map();

  const load = (/** @type {string} */ file) => {
    const modules = file.startsWith(packages) ? unchanging : registry;
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const require = (/** @type {string} */ name) => resolve(name, file);
    const scope = { exports: module.exports, module, require, ...globals };
    compile(file, Object.keys(scope))(...Object.values(scope));
    return module.exports;
  };

  const resolve = (/** @type {string} */ name, /** @type {string} */ from) => {
    if (name === 'fast-check') return fewRuns;
    const own = /^@laurel\/([a-z-]+)$/.exec(name);
    if (own) return load(path.join(packages, String(own[1]), 'src/index.ts'));
    if (!name.startsWith('.')) return createRequire(from)(name);
    const base = path.resolve(path.dirname(from), name);
    return load(existsSync(`${base}.ts`) ? `${base}.ts` : path.join(base, 'index.ts'));
  };

  for (const file of files) load(file);
}
