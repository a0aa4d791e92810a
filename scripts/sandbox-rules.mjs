// In a sandbox time passes when its owner says so (docs/adr/0029). A service that follows sandboxes asks its own clock; what asks the
// machine's is right in every test that runs now, and never happens in a sandbox.
import { parseSync } from '@swc/core';

/** @typedef {{ file: string, source: string }} Source */
/** @typedef {{ type?: string, key?: { value?: string }, value?: string, properties?: Node[] }} Node */

const FOLLOWS = /\bfollowsSandboxes: true\b/;
const CODE = /^(services\/[^/]+)\/src\/(?!testing\/)(?!.*\.test\.ts$)/;

/**
 * @param {readonly Source[]} sources
 * @returns {string[]} one line per violation
 */
export function sandboxViolations(sources) {
  const followers = sources
    .filter(({ source }) => FOLLOWS.test(source))
    .map(({ file }) => CODE.exec(file)?.[1]);
  return sources
    .filter(({ file }) => followers.includes(CODE.exec(file)?.[1] ?? ''))
    .flatMap(({ file, source }) =>
      [...asksMachine(file, source), ...jobsWithoutClock(source)].map((text) => `${file}: ${text}`),
    );
}

/** Where work is done: how long something took is asked of the machine by Date.now(). @param {string} file @param {string} source */
const asksMachine = (file, source) =>
  /\/use-cases\//.test(file) && /\bnew Date\(\)/.test(source)
    ? [
        'asks the clock of the machine (new Date()); ask clock.now() of the deps, which a sandbox moves',
      ]
    : [];

/** @param {string} source @returns {string[]} */
function jobsWithoutClock(source) {
  if (!/\bdue\b/.test(source) || !/\bwork(Page)?\b/.test(source)) return [];
  return dueRowsIn(parseSync(source, { syntax: 'typescript' }).body)
    .filter(({ members }) => !members.has('clock'))
    .map(
      ({ name }) =>
        `has a job (${name}) without a clock: give it that of the deps, or in a sandbox it is never due`,
    );
}

/** @param {unknown} node @returns {{ name: string, members: Set<string> }[]} rows of a table of jobs that are due by a time */
function dueRowsIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const { type, properties = [] } = /** @type {Node} */ (node);
  const below = Object.values(node).flatMap(dueRowsIn);
  if (type !== 'ObjectExpression') return below;
  const members = new Set(properties.map(nameOf));
  const isRow =
    members.has('name') && members.has('due') && (members.has('work') || members.has('workPage'));
  return isRow ? [{ name: textOf(properties), members }, ...below] : below;
}

/** @param {Node} property */
const nameOf = ({ type, key, value }) =>
  type === 'SpreadElement' ? '...' : (key?.value ?? value ?? '');

/** @param {readonly Node[]} properties @returns {string} what the row is called */
function textOf(properties) {
  const { value } = properties.find((each) => nameOf(each) === 'name') ?? {};
  return (
    /** @type {{ value?: string } | undefined} */ (/** @type {unknown} */ (value))?.value ?? 'name'
  );
}
