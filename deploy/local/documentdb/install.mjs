// Installs the DocumentDB engine from Debian sid into a private root directory.
//
// Stages, each left behind by a file so that an interrupted installation resumes: the base system
// (.laurel-base), the packages, and last the marker that other code trusts.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  assertUsable,
  DEFAULT_ROOT,
  INNER_ENV,
  INSTALLED_MARKER,
  insideRoot,
  KEPT_FOLDER,
  postgresUser,
  withOwnMounts,
} from './root.mjs';
import { isAlive } from './server-process.mjs';

const MIRROR = 'http://deb.debian.org/debian';
const PACKAGE = 'postgresql-18-documentdb';
const KNOWN_GOOD = '1.0-0';
const BASE_MARKER = '.laurel-base';
const LOCK_POLL_MS = 300;
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** A mirror as it was at one moment, such as http://snapshot.debian.org/archive/debian/20261101T000000Z. */
const SNAPSHOT = /\/\d{8}T\d{6}Z\/?$/;

const HELP =
  'Set MONGODB_URI to a MongoDB 7 or later replica set instead, or pass a mirror that still holds the known version ' +
  '(DEBIAN_MIRROR=http://snapshot.debian.org/archive/debian/20261101T000000Z).';

/**
 * Installs the engine into `root` unless it is there already; about a minute and 900 MB.
 * Safe to call again after an interruption and from two processes at once (the second waits).
 * @param {{ root?: string, progress?: (line: string) => void, mirror?: string }} [options]
 * @returns {Promise<{ root: string, version: string }>}
 * @throws {Error} with what to do about it; the full log is `<root>.install.log`
 */
export async function installDocumentdb({
  root = DEFAULT_ROOT,
  progress = () => {},
  mirror = process.env.DEBIAN_MIRROR ?? MIRROR,
} = {}) {
  if (isInstalled(root)) return readMarker(root);
  assertUsable(root);
  fs.mkdirSync(path.dirname(root), { recursive: true });
  const release = await takeLock(`${root}.lock`, progress);
  const umask = process.umask(0o022); // the server's account must be able to read what root installs
  try {
    if (isInstalled(root)) return readMarker(root);
    const run = makeRunner(`${root}.install.log`);
    await installBase(root, mirror, run, progress);
    const version = await installPackages(root, run, progress);
    fs.writeFileSync(path.join(root, INSTALLED_MARKER), JSON.stringify({ root, version }));
    progress(`database engine ready (${PACKAGE} ${version})`);
    return { root, version };
  } finally {
    process.umask(umask);
    release();
  }
}

/**
 * @param {string} root
 * @returns {boolean} whether an installation of the engine was completed there
 */
export function isInstalled(root) {
  return fs.existsSync(path.join(root, INSTALLED_MARKER));
}

function readMarker(root) {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, INSTALLED_MARKER), 'utf8'));
  return { root, version };
}

async function installBase(root, mirror, run, progress) {
  if (fs.existsSync(path.join(root, BASE_MARKER))) return;
  const missing = missingTools();
  if (missing.length > 0) {
    progress(`installing ${missing.join(', ')}`);
    await run('apt-get', ['update'], { optional: true });
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...missing]);
  }
  progress('unpacking a private Debian (1/2)');
  await clear(root, run);
  const { file, args } = withOwnMounts('debootstrap', debootstrapArguments(root, mirror));
  await run(file, args);
  prepare(root, mirror);
  fs.writeFileSync(path.join(root, BASE_MARKER), '');
}

/** The packages that the installation itself needs; Ubuntu has no keys of Debian by default. */
function missingTools() {
  return [
    { name: 'debootstrap', found: onPath('debootstrap') },
    { name: 'gpgv', found: onPath('gpgv') },
    { name: 'debian-archive-keyring', found: fs.existsSync(KEYRING) },
  ].flatMap(({ name, found }) => (found ? [] : [name]));
}

/**
 * What runs as root here came by http, from any mirror: without these two options debootstrap only warns where it cannot
 * check a signature, and goes on.
 * @param {string} root
 * @param {string} mirror
 * @returns {string[]}
 */
export function debootstrapArguments(root, mirror) {
  return [`--keyring=${KEYRING}`, '--force-check-gpg', '--variant=minbase', 'sid', root, mirror];
}

/**
 * Settings of the root's own apt. Nothing unsigned is ever installed. A signature has a date after which a list is refused,
 * so that no mirror can serve one from before a weakness was mended; snapshots, which are asked for by their date, are
 * past it by nature.
 * @param {string} mirror
 * @returns {string}
 */
export function aptSettings(mirror) {
  const lines = [
    'APT::Get::AllowUnauthenticated "false";',
    'Acquire::AllowInsecureRepositories "false";',
    'Acquire::AllowDowngradeToInsecureRepositories "false";',
    'Acquire::Languages "none";',
  ];
  if (SNAPSHOT.test(mirror)) lines.push('Acquire::Check-Valid-Until "false";');
  return `${lines.join('\n')}\n`;
}

/**
 * What is mounted at or below a folder, the deepest first, as the kernel lists it.
 * @param {string} folder
 * @param {string} mounts the text of /proc/self/mounts
 * @returns {string[]}
 */
export function mountedBelow(folder, mounts) {
  const points = mounts.split('\n').map((line) => unescaped(line.split(' ')[1] ?? ''));
  return points.filter((point) => `${point}/`.startsWith(`${folder}/`)).reverse();
}

/** Blanks and the like are written in octal. @param {string} point */
const unescaped = (point) =>
  point.replace(/\\(\d{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Empties the root but for the data of engines that ran without bind mounts. */
async function clear(root, run) {
  if (!fs.existsSync(root)) return;
  // An installation that was killed may have left its /proc there, which is the machine's own.
  const mounts = fs.readFileSync('/proc/self/mounts', 'utf8');
  for (const point of mountedBelow(fs.realpathSync(root), mounts)) await run('umount', [point]);
  const kept = KEPT_FOLDER.split('/');
  for (const entry of fs.readdirSync(root)) {
    if (entry !== kept[0]) fs.rmSync(path.join(root, entry), { recursive: true, force: true });
  }
  const parent = path.join(root, kept[0]);
  for (const entry of fs.existsSync(parent) ? fs.readdirSync(parent) : []) {
    if (entry !== kept[1]) fs.rmSync(path.join(parent, entry), { recursive: true, force: true });
  }
}

/** Settings that keep the packages from starting services, writing manuals and syncing every file. */
function prepare(root, mirror) {
  const write = (file, text, mode = 0o644) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text, { mode });
  };
  write('usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755);
  write('etc/postgresql-common/createcluster.conf', 'create_main_cluster = false\n');
  const excluded = ['doc', 'man', 'locale', 'info'].map(
    (name) => `path-exclude=/usr/share/${name}/*`,
  );
  write(
    'etc/dpkg/dpkg.cfg.d/laurel',
    [...excluded, 'force-unsafe-io', 'force-confold', ''].join('\n'),
  );
  write('etc/apt/apt.conf.d/laurel', aptSettings(mirror));
  for (const file of ['etc/resolv.conf', 'etc/hosts']) {
    if (fs.existsSync(`/${file}`)) write(file, fs.readFileSync(`/${file}`));
  }
}

async function installPackages(root, run, progress) {
  const inside = (command, options) => {
    const { file, args } = insideRoot(root, command);
    return run(file, args, { env: INNER_ENV, ...options });
  };
  progress('installing the database engine (2/2)');
  await inside(['dpkg', '--configure', '-a'], { optional: true });
  const version = await chooseVersion(inside, progress);
  // Some post-install steps insist on /proc, which a container may refuse; whether the engine runs is asked below.
  await inside(['apt-get', 'install', '-y', '--no-install-recommends', `${PACKAGE}=${version}`], {
    optional: true,
  });
  const found = await inside(['/usr/lib/postgresql/18/bin/postgres', '--version'], {
    optional: true,
  });
  const extension = path.join(root, 'usr/share/postgresql/18/extension/documentdb.control');
  if (!found.ok || !fs.existsSync(extension) || !postgresUser(root)) {
    throw new Error(`The database engine could not be installed; see ${root}.install.log. ${HELP}`);
  }
  await inside(['apt-get', 'clean'], { optional: true });
  return version;
}

async function chooseVersion(inside, progress) {
  let versions = await offeredVersions(inside);
  if (versions.length === 0) {
    await inside(['apt-get', 'update']);
    versions = await offeredVersions(inside);
  }
  const known = versions.find((version) => version.startsWith(KNOWN_GOOD));
  if (known) return known;
  if (versions.length === 0) throw new Error(`Debian sid no longer has ${PACKAGE}. ${HELP}`);
  progress(
    `warning: Debian has moved to ${PACKAGE} ${versions[0]}; ${KNOWN_GOOD} is the one that was tested`,
  );
  return versions[0];
}

async function offeredVersions(inside) {
  const { output } = await inside(['apt-cache', 'madison', PACKAGE]);
  return output.split('\n').flatMap((line) => line.split('|')[1]?.trim() || []);
}

/** Runs commands with everything they print in one log file. */
function makeRunner(logFile) {
  fs.writeFileSync(logFile, '');
  return (
    file,
    args,
    { env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, optional = false } = {},
  ) =>
    new Promise((resolve, reject) => {
      fs.appendFileSync(logFile, `\n$ ${file} ${args.join(' ')}\n`);
      const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
        fs.appendFileSync(logFile, chunk);
      });
      child.stderr.on('data', (chunk) => fs.appendFileSync(logFile, chunk));
      child.on('error', reject);
      child.on('close', (code) => {
        if (code === 0 || optional) resolve({ ok: code === 0, output });
        else
          reject(
            new Error(`"${file} ${args.slice(-3).join(' ')}" failed; see ${logFile}. ${HELP}`),
          );
      });
    });
}

function onPath(program) {
  return (process.env.PATH ?? '')
    .split(':')
    .some((folder) => fs.existsSync(path.join(folder, program)));
}

/** One installation at a time; a lock whose owner died is taken over. */
async function takeLock(lockFile, progress) {
  for (let told = false; ; told = true) {
    try {
      fs.writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(lockFile, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const owner = Number(fs.readFileSync(lockFile, 'utf8') || process.pid);
    if (!isAlive(owner)) fs.rmSync(lockFile, { force: true });
    else if (!told) progress(`waiting for the installation that process ${owner} runs`);
    await delay(LOCK_POLL_MS);
  }
}
