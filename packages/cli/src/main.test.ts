import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-cli-main-'));
  program = path.join(folder, 'laurel.cjs');
  const entryPoints = [path.join(__dirname, 'main.ts')];
  buildSync({ entryPoints, outfile: program, bundle: true, format: 'cjs', platform: 'node' });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('what cannot be written because the disk is full is no success', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program, '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([1, expect.stringContaining('standard output')]);
});

test('who reads no further than the first line ends it, and that is a success', () => {
  const line = `"${process.execPath}" "${program}" --help | true; exit "\${PIPESTATUS[0]}"`;
  expect(spawnSync('bash', ['-c', line]).status).toBe(0);
});
