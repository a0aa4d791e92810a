import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { archiveFor, downloadMongod } from './mongodb-download.mjs';
import { run } from './processes.mjs';

const osRelease = (id: string, version: string) =>
  `NAME="Some Linux"\nID=${id}\nVERSION_ID="${version}"\n`;

test.each([
  ['linux', 'x64', osRelease('debian', '12'), 'linux/mongodb-linux-x86_64-debian12-'],
  ['linux', 'arm64', osRelease('ubuntu', '22.04'), 'linux/mongodb-linux-aarch64-ubuntu2204-'],
  ['darwin', 'arm64', '', 'osx/mongodb-macos-arm64-'],
])('on %s %s there is an archive', (platform, arch, release, expected) => {
  expect(archiveFor({ platform, arch, osRelease: release })).toContain(expected);
});

test.each([
  ['linux', 'arm64', osRelease('debian', '12')],
  ['linux', 'x64', osRelease('alpine', '3.20')],
  ['linux', 'riscv64', osRelease('ubuntu', '22.04')],
])('on %s %s there is none', (platform, arch, release) => {
  expect(archiveFor({ platform, arch, osRelease: release })).toBeUndefined();
});

describe('downloading', () => {
  let base: string;
  let server: Server;
  let source: string;
  let archive: Buffer;
  let checksum: string;

  beforeEach(async () => {
    base = mkdtempSync(path.join(tmpdir(), 'laurel-mongod-'));
    mkdirSync(path.join(base, 'mongodb-7/bin'), { recursive: true });
    writeFileSync(path.join(base, 'mongodb-7/bin/mongod'), '#!/bin/sh\necho db version\n');
    chmodSync(path.join(base, 'mongodb-7/bin/mongod'), 0o755);
    await run('tar', ['-czf', path.join(base, 'archive.tgz'), '-C', base, 'mongodb-7']);
    archive = readFileSync(path.join(base, 'archive.tgz'));
    checksum = createHash('sha256').update(archive).digest('hex');
    server = createServer((request, response) => {
      response.end(request.url?.endsWith('.sha256') ? `${checksum}  archive.tgz\n` : archive);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    source = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => {
    server.close();
    rmSync(base, { recursive: true, force: true });
  });

  const isPublishedHere = () =>
    archiveFor({
      platform: process.platform,
      arch: process.arch,
      osRelease: readFileSync('/etc/os-release', 'utf8'),
    });

  test('puts a program that runs and matches its checksum in place', async () => {
    const folder = path.join(base, 'installed');
    const expected = isPublishedHere() ? path.join(folder, 'bin/mongod') : undefined;
    expect(await downloadMongod({ folder, source })).toBe(expected);
    expect(existsSync(path.join(folder, 'bin/mongod'))).toBe(expected !== undefined);
  });

  test('leaves nothing behind that does not match its checksum', async () => {
    checksum = 'another';
    const folder = path.join(base, 'installed');
    expect(await downloadMongod({ folder, source })).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });

  test('is quiet where the place cannot be reached', async () => {
    expect(
      await downloadMongod({ folder: path.join(base, 'x'), source: 'http://127.0.0.1:1' }),
    ).toBeUndefined();
  });
});
