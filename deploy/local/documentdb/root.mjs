// The private Debian root directory: how to run a command inside it.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OWN_MOUNTS = ['--mount', '--propagation', 'private'];
const REPOSITORY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** Where the engine is installed unless the caller says otherwise. */
export const DEFAULT_ROOT = path.join(REPOSITORY, '.local/engine');

/** Built entry point of the wire gateway. */
export const GATEWAY_MAIN = path.join(REPOSITORY, 'packages/documentdb-gateway/dist/main.js');

/** Written last by the installation: a root without it is not complete. */
export const INSTALLED_MARKER = 'laurel-engine.json';

/** Folder inside the root that holds data where bind mounts are unavailable; a re-install keeps it. */
export const KEPT_FOLDER = 'srv/laurel-data';

/** Environment of every process inside the root: nothing of the caller's locale or paths leaks in. */
export const INNER_ENV = Object.freeze({
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  DEBIAN_FRONTEND: 'noninteractive',
});

let privateMounts;

/**
 * Whether this machine lets us mount in a namespace of our own (a container usually does not).
 * @returns {boolean}
 */
export function canMount() {
  privateMounts ??= spawnSync('unshare', [...OWN_MOUNTS, 'true']).status === 0;
  return privateMounts;
}

/**
 * The command line that runs a program which mounts something where only it sees it, so that its mounts vanish with it,
 * however it ends.
 * @param {string} program
 * @param {string[]} args
 * @returns {{ file: string, args: string[] }}
 */
export const withOwnMounts = (program, args) =>
  canMount()
    ? { file: 'unshare', args: [...OWN_MOUNTS, program, ...args] }
    : { file: program, args };

/**
 * The command line that runs a program inside the root. Mounts live in a namespace of the program's own, so that
 * they vanish with it, however it ends. Each step replaces the one before: the pid is the program's.
 * @param {string} root
 * @param {string[]} command
 * @param {{ user?: { uid: number, gid: number }, binds?: Array<[from: string, to: string]> }} [options] `to` is inside the root
 * @returns {{ file: string, args: string[] }}
 */
export function insideRoot(root, command, { user, binds = [] } = {}) {
  const identity = user ? [`--userspec=${user.uid}:${user.gid}`] : [];
  if (!canMount()) return { file: 'chroot', args: [...identity, root, ...command] };
  const script = [
    'set -e',
    'root=$1; shift',
    'mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"',
    'mkdir -p "$root/dev/shm"; mount -t tmpfs -o mode=1777 shm "$root/dev/shm"',
    ...binds.map(() => 'mkdir -p "$root/$2"; mount --bind "$1" "$root/$2"; shift 2'),
    'exec "$@"',
  ].join('\n');
  const args = [...OWN_MOUNTS, 'sh', '-c', script, 'sh', root];
  return {
    file: 'unshare',
    args: [...args, ...binds.flat(), 'chroot', ...identity, root, ...command],
  };
}

/**
 * @param {string} root
 * @returns {{ uid: number, gid: number } | null} the account of the database server inside the root
 */
export function postgresUser(root) {
  const accounts = path.join(root, 'etc/passwd');
  const text = fs.existsSync(accounts) ? fs.readFileSync(accounts, 'utf8') : '';
  const found = /^postgres:[^:]*:(\d+):(\d+):/m.exec(text);
  return found && { uid: Number(found[1]), gid: Number(found[2]) };
}

/**
 * Explains why a root directory cannot be used there, before minutes are spent on it.
 * @param {string} root
 * @throws {Error} not Linux, not root, or the file system refuses programs or device files
 */
export function assertUsable(root) {
  if (process.platform !== 'linux' || !fs.existsSync('/etc/debian_version')) {
    throw new Error('The local database engine needs Debian or Ubuntu. Set MONGODB_URI instead.');
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      'The local database engine lives in a chroot, which needs root. Use sudo, or set MONGODB_URI.',
    );
  }
  const options = mountOptions(root);
  const refused = ['noexec', 'nodev'].find((option) => options.includes(option));
  if (refused) {
    throw new Error(
      `${root} is on a file system mounted ${refused}, where programs of a chroot cannot run. Choose another folder.`,
    );
  }
}

function mountOptions(folder) {
  const points = fs
    .readFileSync('/proc/self/mounts', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, point]) => point === '/' || `${folder}/`.startsWith(`${point}/`));
  const deepest = points.reduce((best, mount) =>
    mount[1].length >= best[1].length ? mount : best,
  );
  return deepest[3].split(',');
}
