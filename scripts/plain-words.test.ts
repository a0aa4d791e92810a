import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../deploy/local/lib/stamps.mjs';

const ROOT = path.join(__dirname, '..');
const FOLDERS = ['services', 'packages', 'tools', 'deploy', 'scripts', 'e2e'];
/** Words that hide who acts (docs/STYLE.md). */
const HIDING = /\b(?:nobody|whoever|told)\b/i;
/** What readers are given: a comment, or the name of a test, which may stand behind its table of cases. */
const SAID =
  /(?:^\s*(?:\/\*\*?|\*|\/\/)|\s\/\/\s).*|(?:\b(?:test|it|describe)|[)`])\(\s*(?:'.*?'|".*?"|`.*?`),/gm;
/** What is only named: a value or member of the code, in quotes or as the types of JSDoc write it. */
const NAMES = /(['`])\w+\1|\b\w+\?:/g;

const hidingIn = (text: string): string[] =>
  [...text.matchAll(SAID)]
    .map(([said]) => said.trim())
    .filter((said) => HIDING.test(said.replace(NAMES, '')));

test('comments and names of tests say who acts', () => {
  const hiding = filesBelow(FOLDERS.map((name) => path.join(ROOT, name)))
    .filter((file) => /\.(tsx?|mjs)$/.test(file))
    .flatMap((file) =>
      hidingIn(readFileSync(file, 'utf8')).map((said) => `${path.relative(ROOT, file)}: ${said}`),
    );
  expect(hiding).toEqual([]);
});

test.each([
  ['// X waits', 1],
  ['  /** X of a refund. */', 1],
  ["wait(); // X asks, 'X'", 1],
  ["  test('is X once', async () => {", 1],
  ["test.each([1, 2])(\n  '%s is X once', async () => {", 1],
  ["  const told = ['X', of('X is left')];", 0],
  ['  /** `X` where no client is in it. */', 0],
  [" * @typedef {Pick<Operation, 'X'> & { X?: Answered }} Again", 0],
])('%s', (text, times) => {
  expect(hidingIn(text.replaceAll('X', 'nobody'))).toHaveLength(times);
});
