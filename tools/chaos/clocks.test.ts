import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '../lib/random.mjs';
import { findClockLibrary, JUMPING, openClocks } from './clocks.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clocks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string) => path.join(folder, `${name}.clock`);

test('the library is found for whatever machine it was built, and its absence is no fault', () => {
  expect(findClockLibrary(folder)).toBeUndefined();
  expect(findClockLibrary(path.join(folder, 'missing'))).toBeUndefined();
  const place = path.join(folder, 'some-linux-gnu/faketime');
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'libfaketimeMT.so.1'), '');
  expect(findClockLibrary(folder)).toBe(path.join(place, 'libfaketimeMT.so.1'));
});

test('a clock that jumps is off by a minute and a half, and right again afterwards; others stay right', async () => {
  const clocks = openClocks('library', folder);
  const [one = '', other = ''] = JUMPING;
  const jumping = clocks.jump(one, { forMs: 1, random: createRandom(7, 'clocks') });
  expect(readFileSync(fileOf(one), 'utf8')).toMatch(/^[+-]90\n$/);
  expect(readFileSync(fileOf(other), 'utf8')).toBe('+0\n');
  expect(await jumping).toBe(true);
  expect(readFileSync(fileOf(one), 'utf8')).toBe('+0\n');
});

test('a process with a clock of ours sees another time of day, on machines that have the library', () => {
  const library = findClockLibrary();
  const clocks = openClocks(library ?? '', folder);
  const [name = ''] = JUMPING;
  writeFileSync(fileOf(name), '-90\n');
  const env = library === undefined ? {} : { ...clocks.settings[name] };
  const seen = Number(execFileSync(process.execPath, ['-p', 'Date.now()'], { env }));
  const offMs = Date.now() - seen;
  expect(offMs > 60_000).toBe(library !== undefined);
});
