// The contract's words stand once, in packages/contract: a list of them that is written again somewhere, or that two parts
// of the platform write, is refused.

/** A list of words: in brackets, as arguments, or as the members of a type. */
const LIST = /(?:'[\w.-]+'\s*[,|]\s*){2,}'[\w.-]+'/g;
const SHORTEST = 3;

/** What is shipped, but for tests and what is made. */
const SHIPPED =
  /^(?:services|packages)\/[^/]+\/src\/(?!testing\/|generated\/)(?!.*\.test\.tsx?$).*\.tsx?$/;
const HOME = 'packages/contract/';
/** Where words of the contract are spoken: lists that only libraries have, or only pages, are their own affair. */
const SPEAKS = /^(?:services|packages\/cli)\//;
/** Has words of its own that are no one else's: it checks the ledger without trusting the platform. */
const STANDS_ALONE = /^packages\/(?:ledger-verifier|documentdb-gateway)\//;
/** Words of HTTP, of JavaScript and of the catalogue of events, which its types check. */
const NOT_OURS = /^(?:get|post|put|patch|delete|head|options|string|number|boolean|.+\..+)$/i;
/** An order of one's own says by its type whose words these are: `const ROLES: readonly TriggerRole[] = [`. */
const IS_TYPED = /: readonly [^=\n]+\[\] = \[\s*$/;
/** Names of members, not words: `Pick<Deps, 'clock' | 'outbox'>`. */
const PICKS = /\b(?:Pick|Omit)<[^<>{}]*(?:<[^<>]*>)?[^<>{}]*,\s*\|?\s*$/;

/** @typedef {{ file: string, source: string }} Source */
/** @typedef {{ file: string, line: number, words: readonly string[] }} Listed */

/** @param {Source} source @returns {Listed[]} */
function listsIn({ file, source }) {
  return [...source.matchAll(LIST)].flatMap(({ 0: text, index }) => {
    const before = source.slice(0, index);
    const words = [...new Set([...text.matchAll(/'([\w.-]+)'/g)].map((match) => match[1] ?? ''))];
    if (words.length < SHORTEST || words.every((word) => NOT_OURS.test(word))) return [];
    if (IS_TYPED.test(before) || PICKS.test(before)) return [];
    return { file, line: before.split('\n').length, words: words.toSorted() };
  });
}

/** @param {string} file such as `services/rewards/src/refusals.ts` */
const partOf = (file) => file.split('/').slice(0, 2).join('/');

/**
 * @param {readonly Source[]} sources every source of the repository
 * @returns {string[]} one line per violation
 */
export function vocabularyViolations(sources) {
  const shipped = sources.filter(({ file }) => SHIPPED.test(file) && !STANDS_ALONE.test(file));
  const contract = shipped.filter(({ file }) => file.startsWith(HOME)).flatMap(listsIn);
  const others = shipped.filter(({ file }) => !file.startsWith(HOME)).flatMap(listsIn);
  return [...writtenAgain(others, contract), ...writtenTwice(others, contract)].toSorted();
}

/** A whole list of the contract, or one with a word of its own beside it. @param {readonly Listed[]} lists @param {readonly Listed[]} contract */
function writtenAgain(lists, contract) {
  return lists.flatMap(({ file, line, words }) => {
    const whole = contract.filter((one) => one.words.every((word) => words.includes(word)));
    const same = whole.find((one) => words.length - one.words.length <= 1);
    if (!same || isChosenFrom(contract, { words, beside: same })) return [];
    return `${file}:${line}: writes ${words.join(', ')} again; import them (${same.file}:${same.line}), or say by its type that the order is its own`;
  });
}

/**
 * Whether these are some of the words of another list of the contract: which of them are meant is a decision of its own.
 *
 * @param {readonly Listed[]} contract
 * @param {{ words: readonly string[], beside?: Listed }} asked
 */
const isChosenFrom = (contract, { words, beside }) =>
  contract.some((one) => one !== beside && words.every((word) => one.words.includes(word)));

/** @param {readonly Listed[]} lists @param {readonly Listed[]} contract */
function writtenTwice(lists, contract) {
  const unknown = lists.filter(({ words }) => !isChosenFrom(contract, { words }));
  return [...new Set(unknown.map(({ words }) => words.join(', ')))].flatMap((words) => {
    const places = unknown.filter((one) => one.words.join(', ') === words);
    const isShared = new Set(places.map(({ file }) => partOf(file))).size > 1;
    if (!isShared || !places.some(({ file }) => SPEAKS.test(file))) return [];
    const where = places.map(({ file, line }) => `${file}:${line}`).join(', ');
    return `${where}: ${words} are words of the contract; write them once, in ${HOME}`;
  });
}
