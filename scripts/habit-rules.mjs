// Habits that the house has given up: timers that arm themselves again, errors that are swallowed without a word, names
// that say nothing. Each is refused with what the house does instead.
import { parseSync } from '@swc/core';

/** What runs in services, on the machines of people and in their browsers; tests and tools may do as they like. */
const PRODUCT = /^(services|packages)\/(?!testing\/)[^/]+\/src\/(?!testing\/)/;
/** What wraps timers for everybody else. */
const OWNS_TIMERS = /^packages\/(work|lifecycle)\//;

/** Words that docs/STYLE.md does not use, wherever in a name ... */
const EMPTY_WORDS = new Set(['manager', 'helper', 'helpers', 'util', 'utils']);
/** ... as all that a file or folder is called ... */
const EMPTY_FILES = new Set(['common', 'data', 'info', 'process']);
/** ... or what a file offers. Data is a word of the API, and a process one of clients, of work and of the machine. */
const EMPTY_DECLARATIONS = new Set(['common', 'info', 'handle']);
const DECLARED =
  /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

/** A handler that does nothing, written where it is used: the next reader cannot know whether it was meant. */
const SWALLOWS = [
  /\.catch\(\s*(?:async )?\(?\w*\)?\s*=>\s*(?:undefined|void 0|\{\s*\})\s*,?\s*\)/,
  /\.then\([^;]{1,200}?,\s*\(\w*\) =>\s*(?:undefined|\{\s*\}),?\s*\)/,
  /\bcatch\s*(?:\(\w+\)\s*)?\{\s*\}/,
];

/** What a test has where it says nothing (jest.config.cjs): a busy machine needs it, and what waits for a condition ends before. */
const TEST_MS = 180_000;
/** Shorter ones are timers. */
const TIMER_MS = 5_000;
const LIMITS = [/\bjest\.setTimeout\(([\d_]+)\)/g, /^ *\}, ([\d_]+)\);$/gm];

/** @param {string} file */
const isTest = (file) => /\.test\.tsx?$/.test(file);

/** @param {string} name */
const wordsOf = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]/);

/** @param {string} name */
const hasEmptyWord = (name) => wordsOf(name).some((word) => EMPTY_WORDS.has(word));

/**
 * @param {string} file path from the repository's top folder, with forward slashes
 * @param {string} source
 * @returns {string[]} one line per violation
 */
export function habitViolations(file, source) {
  const found = namesThatSayNothing(file, source);
  if (PRODUCT.test(file) && !isTest(file)) {
    if (SWALLOWS.some((form) => form.test(source)))
      found.push('swallows an error without a word; give what may fail a name: mayFail(...)');
    if (/\bsetTimeout\b|timers\/promises/.test(source) && !OWNS_TIMERS.test(file))
      found.push(...loopsByHand(file, source));
  }
  if (isTest(file)) found.push(...limitsBelow(source));
  return found.map((text) => `${file}: ${text}`);
}

/** @param {string} source of a test */
function limitsBelow(source) {
  const limits = LIMITS.flatMap((form) => [...source.matchAll(form)].map(([, ms = '']) => ms));
  return limits
    .filter((ms) => Number(ms.replaceAll('_', '')) >= TIMER_MS)
    .filter((ms) => Number(ms.replaceAll('_', '')) < TEST_MS)
    .map((ms) => `gives a test ${ms} ms, less than all have: it fails where the machine is busy`);
}

/** @param {string} file @param {string} source */
function namesThatSayNothing(file, source) {
  const parts = file.replace(/\.(test\.)?\w+$/, '').split('/');
  const declared = [...source.matchAll(DECLARED)].map((match) => match[1] ?? '');
  const empty = [
    ...parts.filter((name) => EMPTY_FILES.has(name) || hasEmptyWord(name)),
    ...declared.filter(
      (name) => hasEmptyWord(name) || (!isTest(file) && EMPTY_DECLARATIONS.has(name)),
    ),
  ];
  return [...new Set(empty)].map(
    (name) => `calls something ${name}, which says nothing of it (docs/STYLE.md)`,
  );
}

/** @param {string} file @param {string} source */
function loopsByHand(file, source) {
  const options = /** @type {const} */ ({ syntax: 'typescript', tsx: file.endsWith('x') });
  return [...new Set(armedAgain(parseSync(source, options), []))].map(
    (name) =>
      `has a timer that arms ${name} again; work that is due is a row of jobs.ts, a loop is startLoop() of @laurel/work (docs/adr/0018)`,
  );
}

/** @typedef {{ type?: string, value?: string, identifier?: Node, id?: Node, key?: Node, property?: Node, callee?: Node, arguments?: { expression: Node }[] }} Node */

/**
 * @param {unknown} node
 * @param {readonly string[]} around the names of the functions that it stands in
 * @returns {string[]} those of them that a timer in it calls
 */
function armedAgain(node, around) {
  if (Array.isArray(node)) return node.flatMap((one) => armedAgain(one, around));
  if (typeof node !== 'object' || node === null) return [];
  const { type, callee, arguments: given, ...rest } = /** @type {Node} */ (node);
  const name = nameGivenBy(/** @type {Node} */ (node));
  const inside = name === undefined ? around : [...around, name];
  const isTimer = type === 'CallExpression' && lastNameOf(callee) === 'setTimeout';
  const called = isTimer ? namesIn(given?.[0]?.expression) : new Set();
  return [
    ...around.filter((one) => called.has(one)),
    ...Object.values({ ...rest, callee, given }).flatMap((part) => armedAgain(part, inside)),
  ];
}

const NAMING =
  /^(FunctionDeclaration|FunctionExpression|ClassMethod|PrivateMethod|MethodProperty|VariableDeclarator|ClassProperty|KeyValueProperty)$/;

/** @param {Node} node */
const nameGivenBy = ({ type, identifier, id, key }) =>
  NAMING.test(type ?? '') ? lastNameOf(identifier ?? id ?? key) : undefined;

/** @param {Node | undefined} node @returns {string | undefined} */
const lastNameOf = (node) =>
  node?.type === 'Identifier' ? node.value : node?.property && lastNameOf(node.property);

/** @param {unknown} node @returns {Set<string>} every name in it */
function namesIn(node) {
  if (typeof node !== 'object' || node === null) return new Set();
  const own =
    /** @type {Node} */ (node).type === 'Identifier' ? [/** @type {Node} */ (node).value] : [];
  const below = Object.values(node).flatMap((part) => [...namesIn(part)]);
  return new Set([...own.filter((name) => name !== undefined), ...below]);
}
