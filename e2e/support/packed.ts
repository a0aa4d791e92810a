import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Packed {
  /** The tarball, as it would be published. */
  tarball: string;
  /** A stranger's project, in which it was installed without a network. */
  project: string;
}

/**
 * Packs one of our packages and installs it as a stranger would.
 *
 * @param home the folder of the package
 * @param folder an empty one, which gets the tarball, npm's cache and the project
 */
export function installPacked(home: string, folder: string): Packed {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: path.join(folder, 'npm') };
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: home, env, stdio: 'ignore' });
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'))!;
  const tarball = path.join(folder, name);
  const project = path.join(folder, 'shop');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{}');
  const install = ['install', '--offline', '--no-audit', tarball];
  execFileSync('npm', install, { cwd: project, env, stdio: 'ignore' });
  return { tarball, project };
}
