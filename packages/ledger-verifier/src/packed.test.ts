import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeBook, makeSigner } from './testing/book';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-verify-packed-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the packed verifier runs in an empty folder, without the workspace and offline', () => {
  const home = path.resolve(__dirname, '..');
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: path.join(folder, 'npm') };
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: home, env, stdio: 'ignore' });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const cwd = path.join(folder, 'auditor');
  mkdirSync(cwd);
  const book = makeBook();
  const lines = (entries: readonly object[]) =>
    entries.map((entry) => JSON.stringify(entry)).join('\n');
  writeFileSync(path.join(cwd, 'export.ndjson'), lines(book));
  writeFileSync(path.join(cwd, 'short.ndjson'), lines(book.slice(1)));
  const checkpoint = { data: makeSigner().sign(book) };
  writeFileSync(path.join(cwd, 'checkpoint.json'), JSON.stringify(checkpoint));
  const verify = (...files: string[]) => {
    const args = ['--yes', '--offline', `../${tarball}`, ...files];
    const { status, stdout } = spawnSync('npx', args, { cwd, env, encoding: 'utf8' });
    return [status, stdout.split('\n').find((line) => line.includes('wallets'))];
  };
  expect(verify('export.ndjson', 'checkpoint.json')).toEqual([
    0,
    '✓ 5 entries of 2 wallets: everything holds',
  ]);
  expect(verify('short.ndjson', 'checkpoint.json')).toEqual([
    1,
    expect.stringMatching(/^✗ 4 entries of 2 wallets .*findings$/),
  ]);
  expect(verify('nothing.ndjson')).toEqual([2, undefined]);
});
