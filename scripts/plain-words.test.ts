import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from '../deploy/local/lib/stamps.mjs';

const ROOT = path.join(__dirname, '..');
/** Words that hide who acts (docs/STYLE.md). */
const HIDING = ['nobody', 'whoever', 'told'];
/** Where they are said to readers: in a comment, or in the name of a test. */
const SAID = new RegExp(
  `(?:^\\s*(?:/\\*\\*?|\\*|//)|\\s//\\s|\\b(?:test|it|describe)\\b.*['"\`]).*\\b(?:${HIDING.join('|')})\\b`,
  'i',
);
/** How many lines a folder still has; a number here only ever becomes smaller, and a folder without one has none. */
const LEFT: Record<string, number> = {
  e2e: 1,
  'packages/account-page': 7,
  'packages/backend': 20,
  'packages/client': 4,
  'packages/docs-page': 5,
  'packages/documentdb-gateway': 14,
  'packages/enrollment-page': 9,
  'packages/json-schema': 5,
  'packages/lifecycle': 18,
  'packages/mail': 5,
  'packages/page-kit': 6,
  'packages/portal-page': 13,
  'packages/rpc': 15,
  'packages/till-page': 19,
  'tools/chaos': 6,
};

/** `services/rewards` or `scripts`. */
const folderOf = (file: string): string => {
  const [first = '', second = ''] = path.relative(ROOT, file).split(path.sep);
  return ['services', 'packages', 'tools'].includes(first) ? `${first}/${second}` : first;
};

test('comments and names of tests say who acts: no folder has more lines that hide it than before', () => {
  const counts = new Map<string, number>();
  const folders = ['services', 'packages', 'tools', 'deploy', 'scripts', 'e2e'];
  for (const file of filesBelow(folders.map((name) => path.join(ROOT, name)))) {
    if (!/\.(tsx?|mjs)$/.test(file)) continue;
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => SAID.test(line));
    if (lines.length > 0)
      counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + lines.length);
  }
  const grown = [...counts].filter(([folder, count]) => count > (LEFT[folder] ?? 0));
  expect(grown).toEqual([]);
});
