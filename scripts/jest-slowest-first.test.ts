import { existsSync } from 'node:fs';
import path from 'node:path';
import SlowestFirst from './jest-slowest-first.cjs';

const ROOT = path.join(__dirname, '..');
const SLOW: string[] = jest.requireActual('../deploy/local/slow-tests.json');
const at = (file: string) => ({ path: path.join(ROOT, file) });

function order(files: string[], seconds: Record<string, number>): string[] {
  const sequencer = new SlowestFirst();
  sequencer.seconds = seconds;
  return sequencer.sort(files.map(at)).map((test) => path.relative(ROOT, test.path));
}

test('a file that took long the last time begins before those that did not', () => {
  const [one, other] = ['e2e/fuzz.test.ts', 'e2e/cards.test.ts'] as const;
  expect(order([one, other], { [one]: 1, [other]: 2 })).toEqual([other, one]);
});

test('where nothing was timed, files that are known to be slow begin first, in their order', () => {
  const [slowest, slow] = SLOW;
  const other = 'scripts/jest-slowest-first.test.ts';
  expect(order([other, slow!, slowest!], {})).toEqual([slowest, slow, other]);
});

test('files that are known to be slow are there', () => {
  expect(SLOW.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});
