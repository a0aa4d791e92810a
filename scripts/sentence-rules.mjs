// Logs and errors name things by their ids. What the logger cuts out it knows by the names of fields (packages/lifecycle/src/logger.ts):
// within a sentence, and under another name, the address of a person or a secret would stand in logs and answers for good.
import { parseSync } from '@swc/core';

/** @typedef {{ file: string, source: string }} Source */
/**
 * @typedef {object} Node
 * @property {string} [type]
 * @property {string} [value]
 * @property {Node} [callee]
 * @property {Node} [object]
 * @property {Node} [property]
 * @property {unknown} [expressions]
 * @property {unknown} [arguments]
 */

const PRODUCT =
  /^(services|packages)\/(?!testing\/)[^/]+\/src\/(?!testing\/|generated\/)(?!.*\.test\.tsx?$)/;
const LOGS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const LOGGER = /^(logger|log)$/;
const ERROR = /(Error|Refusal)$/;
/** Words that name a person or let somebody in, wherever in a name. */
const SENSITIVE =
  /(?:^|-)(?:email|phone|birth|password|secret|token|cookie|authorization)(?:-|$)|^(?:first|last)-name$/;

/**
 * @param {readonly Source[]} sources
 * @returns {string[]} one line per violation
 */
export function sentenceViolations(sources) {
  return sources
    .filter(
      ({ file, source }) => PRODUCT.test(file) && /\blog(ger)?\.|Error\(|\bsays\(/.test(source),
    )
    .flatMap(({ file, source }) => {
      const { body } = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x') });
      return [...new Set(saidIn(body))].map(
        (name) =>
          `${file}: says ${name} in a log or an error: name the row by its id; a person or a secret is not cut out of a sentence`,
      );
    });
}

/** @param {unknown} node @returns {string[]} what is said of persons and secrets in it */
function saidIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(saidIn);
  const { type, callee, arguments: given } = /** @type {Node} */ (node);
  if (type === 'CallExpression' && isLog(callee)) return [...sensitiveIn(given), ...below];
  const speaks =
    (type === 'NewExpression' && ERROR.test(callee?.value ?? '')) ||
    (type === 'CallExpression' && callee?.property?.value === 'says');
  return speaks ? [...templatesIn(given).flatMap(sensitiveIn), ...below] : below;
}

/** @param {Node | undefined} callee */
const isLog = (callee) =>
  LOGS.has(callee?.property?.value ?? '') &&
  LOGGER.test(callee?.object?.value ?? callee?.object?.property?.value ?? '');

/** @param {unknown} node @returns {unknown[]} what is put into the sentences in it */
function templatesIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const { type, expressions } = /** @type {Node} */ (node);
  return type === 'TemplateLiteral' ? [expressions] : Object.values(node).flatMap(templatesIn);
}

/** Values alone: the key of a field is what the logger goes by. @param {unknown} node @returns {string[]} */
function sensitiveIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value } = /** @type {Node} */ (node);
  if (type === 'Identifier') return isSensitive(value ?? '') ? [value ?? ''] : [];
  return Object.entries(node).flatMap(([name, part]) => (name === 'key' ? [] : sensitiveIn(part)));
}

/** @param {string} name */
const isSensitive = (name) =>
  SENSITIVE.test(
    name
      .replace(/([a-z\d])([A-Z])/g, '$1-$2')
      .replaceAll('_', '-')
      .toLowerCase(),
  );
