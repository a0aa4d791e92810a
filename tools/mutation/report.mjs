// What the mutants came to, for people.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What Stryker tells of one mutant, as far as it is of interest here. Lines and columns count from 1.
 *
 * @typedef {object} Mutant
 * @property {string} fileName
 * @property {'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored'} status
 * @property {string} replacement
 * @property {{ start: Place, end: Place }} location
 *
 * @typedef {{ line: number, column: number }} Place
 *
 * @typedef {{ name: string, noticed: number, unnoticed: number, score: number }} Score `score` in percent
 */

const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

/**
 * @param {string} name
 * @param {readonly Mutant[]} mutants
 * @returns {Score}
 */
function scoreOf(name, mutants) {
  const count = (/** @type {string[]} */ statuses) =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const [noticed, unnoticed] = [count(NOTICED), count(UNNOTICED)];
  const all = noticed + unnoticed;
  return { name, noticed, unnoticed, score: all === 0 ? 100 : (100 * noticed) / all };
}

/**
 * Mutants that could not run count for nothing, as Stryker has it.
 *
 * @param {readonly Mutant[]} mutants
 * @param {string} root
 * @returns {{ files: Score[], total: Score }}
 */
export function scoresOf(mutants, root) {
  const names = [...new Set(mutants.map(({ fileName }) => fileName))].sort();
  const files = names.map((name) =>
    scoreOf(
      path.relative(root, path.resolve(root, name)),
      mutants.filter(({ fileName }) => fileName === name),
    ),
  );
  return { files, total: scoreOf('total', mutants) };
}

/**
 * @param {{ files: Score[], total: Score }} scores
 * @param {number} threshold in percent
 */
export function renderScores({ files, total }, threshold) {
  const width = Math.max(...files.map(({ name }) => name.length));
  const line = (/** @type {Score} */ { name, noticed, unnoticed, score }) =>
    `${name.padEnd(width)} ${String(noticed + unnoticed).padStart(7)} ${String(unnoticed).padStart(9)} ${score.toFixed(1).padStart(7)} %`;
  const verdict = total.score >= threshold ? '✓' : '✗';
  return [
    `${'file'.padEnd(width)} mutants unnoticed   score`,
    ...files.map(line),
    line(total),
    `${verdict} at least ${threshold} % is asked for`,
  ].join('\n');
}

/**
 * Each broken rule that no test noticed, as a place and what stood there instead.
 *
 * @param {readonly Mutant[]} mutants
 * @param {string} root
 */
export function renderSurvivors(mutants, root) {
  return mutants
    .filter(({ status }) => UNNOTICED.includes(status))
    .map(({ fileName, location, replacement }) => {
      const file = path.resolve(root, fileName);
      const was = excerpt(readFileSync(file, 'utf8'), location);
      const { line, column } = location.start;
      return `${path.relative(root, file)}:${line}:${column}  ${onOneLine(was)}  →  ${onOneLine(replacement)}`;
    })
    .join('\n');
}

/**
 * @param {string} source
 * @param {Mutant['location']} location
 */
function excerpt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = String(lines.at(-1)).slice(0, end.column - 1);
  lines[0] = String(lines[0]).slice(start.column - 1);
  return lines.join('\n');
}

const SHOWN_MAX = 100;

/** @param {string} code */
function onOneLine(code) {
  const flat = code.replace(/\s+/g, ' ');
  return flat.length > SHOWN_MAX ? `${flat.slice(0, SHOWN_MAX)} ...` : flat;
}
