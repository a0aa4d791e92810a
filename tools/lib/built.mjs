// The services' own code, as it was built: what a bench writes or signs is theirs, not an imitation.
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../../deploy/local/lib/paths.mjs';

const require = createRequire(import.meta.url);

/** @param {string} file from the root of the repository */
export const services = (file) => require(path.join(ROOT, file));
