// Which Node.js runs the services: the one that production has, whatever the machine has.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';

/** As in deploy/Dockerfile. */
const WANTED_MAJOR = 24;

/**
 * The Node.js that services run on. A machine's own where it is recent enough; else the one that npm brought along,
 * where there is one for this system (optional dependencies of deploy/local); else the machine's, which works and is slower.
 *
 * @param {{ version?: string, execPath?: string, platform?: string, arch?: string, exists?: (file: string) => boolean }} [machine]
 */
export function runtimeFor({
  version = process.versions.node,
  execPath = process.execPath,
  platform = process.platform,
  arch = process.arch,
  exists = existsSync,
} = {}) {
  if (Number.parseInt(version, 10) >= WANTED_MAJOR) return execPath;
  const folder = `deploy/local/node_modules/node-${platform}-${arch}`;
  const brought = path.join(ROOT, folder, 'bin/node');
  return exists(brought) ? brought : execPath;
}
