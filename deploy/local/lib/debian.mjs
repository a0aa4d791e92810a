// Debian's and Ubuntu's packages: put on the machine without starting the system services that they bring.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { run } from './processes.mjs';
import { SetupError, step, warn } from './progress.mjs';

/** Asked by the packages' own scripts before they start a service; 101 means "not now". */
const POLICY = '/usr/sbin/policy-rc.d';

/** Whether this is Debian or a system made of its packages. */
export function isDebianLike() {
  if (!existsSync('/etc/os-release') || !existsSync('/usr/bin/apt-get')) return false;
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
}

export const isRoot = () => process.getuid?.() === 0;

/**
 * @param {{ name: string, urlSetting: string }[]} missing packages, each with the setting that makes it unnecessary;
 *   their system services have the same names
 */
export async function installDebianPackages(missing) {
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const otherwise = `set ${missing.map(({ urlSetting }) => urlSetting).join(' and ')} to running servers, or use docker compose up`;
  if (!isDebianLike()) {
    throw new SetupError(
      `This is neither Debian nor Ubuntu: install ${names.join(' and ')} yourself, ${otherwise}.`,
    );
  }
  if (!isRoot()) {
    throw new SetupError(
      `Not root: run  sudo apt-get install --no-install-recommends ${names.join(' ')}  once, or ${otherwise}.`,
    );
  }
  await installPackages(names);
  await keepFromStartingAtBoot(names);
}

/**
 * Installs what tests do more with, where that may be done unasked; they do without it elsewhere.
 *
 * @param {string[]} names of packages
 * @param {string} otherwise what there is not without them
 */
export async function installForTests(names, otherwise) {
  if (!isDebianLike() || !isRoot()) return;
  try {
    await installPackages(names);
  } catch (error) {
    warn(`${otherwise}: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string[]} names */
function installPackages(names) {
  return step(
    `Installing ${names.join(' and ')} from Debian's packages`,
    () => withoutSystemServices(() => installWithApt(names)),
    () => `${names.join(' and ')} installed`,
  );
}

/** @param {string[]} names */
async function installWithApt(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Somebody else's apt-get may be at work; it is waited for rather than failed on.
  const patiently = ['-q', '-o', 'DPkg::Lock::Timeout=300'];
  const install = () =>
    run('apt-get', [...patiently, 'install', '-y', '--no-install-recommends', ...names], { env });
  try {
    await install();
  } catch {
    // The package lists are missing or old.
    await run('apt-get', [...patiently, 'update'], { env });
    await install();
  }
}

/** @param {() => Promise<void>} install */
async function withoutSystemServices(install) {
  const isOurs = !existsSync(POLICY);
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    if (isOurs) rmSync(POLICY);
  }
}

/** The packages also enable their services for the next boot: only the programs were wanted. @param {string[]} services */
async function keepFromStartingAtBoot(services) {
  if (!existsSync('/run/systemd/system')) return;
  await run('systemctl', ['disable', ...services]);
}
