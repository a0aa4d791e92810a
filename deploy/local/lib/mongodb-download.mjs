// MongoDB's own server from where mongodb-memory-server would fetch it, on machines that can reach that place.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './processes.mjs';
import { say, warn } from './progress.mjs';

const VERSION = '7.0.14';
const SOURCE = 'https://fastdl.mongodb.org';

/** A machine without a way out must not be kept waiting for it. */
const REACHABLE_WITHIN_MS = 2_000;

/**
 * The archive for this machine, as a path on the server.
 *
 * @param {{ platform: string, arch: string, osRelease: string }} machine
 * @returns {string | undefined} nothing where MongoDB publishes none that fits
 */
export function archiveFor({ platform, arch, osRelease }) {
  const cpu = { x64: 'x86_64', arm64: platform === 'linux' ? 'aarch64' : 'arm64' }[arch];
  if (!cpu) return undefined;
  if (platform === 'darwin') return `osx/mongodb-macos-${cpu}-${VERSION}.tgz`;
  const id = /^ID="?(\w+)/m.exec(osRelease)?.[1];
  const release = /^VERSION_ID="?([\d.]+)/m.exec(osRelease)?.[1]?.replace('.', '');
  const isPublished =
    (id === 'debian' && release === '12' && arch === 'x64') ||
    (id === 'ubuntu' && release === '2204');
  return isPublished ? `linux/mongodb-linux-${cpu}-${id}${release}-${VERSION}.tgz` : undefined;
}

/**
 * @param {string} folder
 * @returns {string | undefined} the program that an earlier download left there
 */
export function downloadedMongod(folder) {
  const binary = path.join(folder, 'bin/mongod');
  return existsSync(binary) ? binary : undefined;
}

/**
 * Downloads `mongod`. Quiet where it cannot be had: there is another way.
 *
 * @param {{ folder: string, source?: string }} options
 * @returns {Promise<string | undefined>} the program's file
 */
export async function downloadMongod({
  folder,
  source = process.env.MONGOMS_DOWNLOAD_MIRROR ?? SOURCE,
}) {
  const osRelease = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const archive = archiveFor({ platform: process.platform, arch: process.arch, osRelease });
  if (!archive || !(await isReachable(`${source}/${archive}`))) return undefined;
  try {
    say(`    downloading MongoDB ${VERSION}`);
    await unpack(await fetchChecked(`${source}/${archive}`), folder);
    return downloadedMongod(folder);
  } catch (error) {
    warn(`MongoDB could not be downloaded: ${/** @type {Error} */ (error).message}`);
    return undefined;
  }
}

/** @param {string} url */
async function isReachable(url) {
  try {
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(REACHABLE_WITHIN_MS) }))
      .ok;
  } catch {
    return false;
  }
}

/** @param {string} url */
async function fetchChecked(url) {
  const [archive, checksum] = await Promise.all([url, `${url}.sha256`].map(fetchAll));
  const expected = checksum?.toString().trim().split(/\s+/)[0];
  const actual = createHash('sha256')
    .update(archive ?? '')
    .digest('hex');
  if (!archive || actual !== expected) throw new Error(`${url} does not match its checksum`);
  return archive;
}

/** @param {string} url */
async function fetchAll(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/**
 * Moved into place only when the program runs: a half-unpacked or unsuitable one is never found by the next start.
 *
 * @param {Buffer} archive
 * @param {string} folder
 */
async function unpack(archive, folder) {
  const unpacked = `${folder}.unpacking`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const file = path.join(unpacked, 'archive.tgz');
  writeFileSync(file, archive);
  await run('tar', ['-xzf', file, '-C', unpacked, '--strip-components=1']);
  rmSync(file);
  await run(path.join(unpacked, 'bin/mongod'), ['--version']);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unpacked, folder);
}
