// The repository itself: which packages and services it has, installing what they need, building them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { LOCAL, ROOT } from './paths.mjs';
import { run } from './processes.mjs';
import { step } from './progress.mjs';
import { digestOf, filesBelow, isStamped, stamp } from './stamps.mjs';

/**
 * The folders below `parent` that hold a package.
 *
 * @param {string} parent
 */
const packagesIn = (parent) =>
  existsSync(path.join(ROOT, parent))
    ? readdirSync(path.join(ROOT, parent))
        .filter((name) => existsSync(path.join(ROOT, parent, name, 'package.json')))
        .sort()
    : [];

/** Every folder of services/ with a package.json is a service; there is no list to keep. */
export const serviceNames = () => packagesIn('services');

/** The folders that `tsc -b` builds, relative to the top folder. */
export function projectFolders() {
  const folders = [
    ...packagesIn('packages').map((name) => `packages/${name}`),
    ...serviceNames().map((name) => `services/${name}`),
    'deploy/local',
  ];
  return folders.filter((folder) => existsSync(path.join(ROOT, folder, 'tsconfig.json')));
}

/** The pages that are bundled, each by a `build.mjs` of its own, relative to the top folder. */
export const pageFolders = () =>
  packagesIn('packages')
    .filter((name) => name.endsWith('-page'))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(path.join(ROOT, folder, 'build.mjs')));

/** Installs the packages of npm and builds, each only when something changed since the last time. */
export async function prepareWorkspace() {
  await withLock(path.join(LOCAL, 'prepare.lock'), async () => {
    await installPackages();
    await build();
  });
}

/** What decides which npm packages are needed. */
function manifestDigest() {
  const manifests = ['packages', 'services'].flatMap((parent) =>
    packagesIn(parent).map((name) => path.join(ROOT, parent, name, 'package.json')),
  );
  const others = ['deploy/local', 'e2e', 'tools'].map((folder) =>
    path.join(ROOT, folder, 'package.json'),
  );
  return digestOf([
    ...['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'].map((name) =>
      path.join(ROOT, name),
    ),
    ...manifests,
    ...others.filter(existsSync),
  ]);
}

async function installPackages() {
  // Inside node_modules, so that the stamp is deleted with that folder.
  const stampFile = path.join(ROOT, 'node_modules/.laurel-install');
  if (isStamped(stampFile, manifestDigest())) return;

  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  await step(
    `Installing npm packages with ${packageManager} (a minute or less the first time)`,
    () =>
      run('npx', ['-y', packageManager, 'install', '--frozen-lockfile'], {
        cwd: ROOT,
        // Without a terminal pnpm would refuse to replace an outdated node_modules.
        env: { ...process.env, CI: 'true' },
      }),
    () => 'npm packages installed',
  );
  // Asked again: pnpm may have tidied its lockfile.
  stamp(stampFile, manifestDigest());
}

async function build() {
  const projects = projectFolders();
  const sources = [
    'package.json',
    'pnpm-lock.yaml',
    'tsconfig.base.json',
    'protos',
    'scripts/build.mjs',
    'packages',
    'services',
    'deploy/local/src',
    // The pages of the documentation are made of these.
    'docs/guides',
    'docs/openapi.json',
    'docs/errors.md',
    'docs/config.md',
  ];
  const digest = digestOf(filesBelow(sources.map((name) => path.join(ROOT, name))));
  const stampFile = path.join(LOCAL, 'stamps/build');
  const isBuilt = [...projects, ...pageFolders()].every((folder) =>
    existsSync(path.join(ROOT, folder, 'dist')),
  );
  if (isBuilt && isStamped(stampFile, digest)) return;

  await step(
    `Building ${projects.length} packages and services`,
    () => run(process.execPath, ['scripts/build.mjs'], { cwd: ROOT }),
    () => `${projects.length} packages and services built`,
  );
  stamp(stampFile, digest);
}
