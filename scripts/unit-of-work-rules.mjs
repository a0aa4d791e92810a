// A unit of work holds what it writes until it commits (docs/STYLE.md). Three slips are seen by no type: a write beside it,
// calls at once, which a transaction cannot bear, and a question to another service while all others wait for its rows.
import { parseSync } from '@swc/core';

/** @typedef {{ file: string, source: string }} Source */
/**
 * @typedef {object} Node
 * @property {string} [type]
 * @property {string} [value]
 * @property {Node} [callee]
 * @property {Node} [object]
 * @property {Node} [property]
 * @property {Node[]} [params]
 * @property {{ params?: Node[] }} [function]
 * @property {unknown} [arguments]
 * @property {Node} [id]
 * @property {Node} [init]
 */

/** What speaks to the store; a session of the pages and the command line is another thing. */
const KEEPS =
  /^(services\/[^/]+|packages\/(backend|events|mongo|secrets|work))\/src\/(?!testing\/)(?!.*\.test\.ts$)/;
const FUNCTION =
  /^(Function(Declaration|Expression)|ArrowFunctionExpression|(Class|Private)Method|MethodProperty)$/;
/** What changes rows, tells of it, or calls for work on them. */
const WRITES = new Set([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'bulkWrite',
  'append',
  'wake',
]);
const AT_ONCE = new Set(['all', 'allSettled', 'any', 'race']);
/** No method of ours begins with a capital but those of services that are asked. */
const RPC = /^[A-Z][a-z]\w+$/;

/**
 * @param {readonly Source[]} sources
 * @returns {string[]} one line per violation
 */
export function unitOfWorkViolations(sources) {
  return sources
    .filter(({ file, source }) => KEEPS.test(file) && /\bsession\b/.test(source))
    .flatMap(({ file, source }) => {
      const { body } = parseSync(source, { syntax: 'typescript' });
      const carriers = new Set(['session', ...carriersIn(body)]);
      return slipsIn(body, carriers, false).map((text) => `${file}: ${text}`);
    });
}

/** @param {unknown} node @returns {string[]} names of values that a session was put into */
function carriersIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const { type, id, init } = /** @type {Node} */ (node);
  const isOne =
    type === 'VariableDeclarator' &&
    !FUNCTION.test(init?.type ?? '') &&
    namesIn(init).has('session');
  return [
    ...(isOne && id?.value !== undefined ? [id.value] : []),
    ...Object.values(node).flatMap(carriersIn),
  ];
}

/**
 * @param {unknown} node
 * @param {ReadonlySet<string>} carriers
 * @param {boolean} isWithin whether a function around it is given a session
 * @returns {string[]}
 */
function slipsIn(node, carriers, isWithin) {
  if (typeof node !== 'object' || node === null) return [];
  const one = /** @type {Node} */ (node);
  const within = isWithin || isGivenSession(one);
  const slip = within ? slipOf(one, carriers) : undefined;
  return [
    ...(slip === undefined ? [] : [slip]),
    ...Object.values(node).flatMap((part) => slipsIn(part, carriers, within)),
  ];
}

/** @param {Node} node */
const isGivenSession = ({ type, params, function: within }) =>
  FUNCTION.test(type ?? '') && namesIn(params ?? within?.params).has('session');

/** @param {Node} node @param {ReadonlySet<string>} carriers @returns {string | undefined} */
function slipOf({ type, callee, arguments: given }, carriers) {
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return undefined;
  const name = callee.property?.value ?? '';
  const isCarried = [...namesIn(given)].some((each) => carriers.has(each));
  if (WRITES.has(name) && !isCarried)
    return `calls ${name}() beside the unit of work that it is in: give it the session, else it stays when the rest is undone`;
  if (AT_ONCE.has(name) && callee.object?.value === 'Promise' && isCarried)
    return `asks several things of one session at once (Promise.${name}), which a transaction cannot bear: await one after the other`;
  if (RPC.test(name))
    return `asks another service (${name}) within a unit of work, while others wait for its rows: ask before (checkAndCommitOnce), or tell it by an event`;
  return undefined;
}

/** @param {unknown} node @param {Set<string>} [found] @returns {Set<string>} every name in it */
function namesIn(node, found = new Set()) {
  if (typeof node !== 'object' || node === null) return found;
  const { type, value } = /** @type {Node} */ (node);
  if (type === 'Identifier' && value !== undefined) found.add(value);
  for (const part of Object.values(node)) namesIn(part, found);
  return found;
}
