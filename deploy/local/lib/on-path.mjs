// Looking for a program as a shell would.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} program
 * @returns {string | undefined} its file
 */
export function findOnPath(program) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, program)).find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
