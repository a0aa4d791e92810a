// npm run backup: backup and restore of all databases, on the running platform or the MongoDB of MONGODB_URI (docs/backup.md).
//
//   npm run backup -- save <folder>          all databases as they are at one moment, while services run
//   npm run backup -- restore <folder>       into a server that has none of them; then npm run indexes -- apply
//   npm run backup -- replay <ISO time>      lets the events since then leave once more; when the services run again, so that every queue is there
import path from 'node:path';
import { helpIfAsked } from './lib/help.mjs';
import { ROOT } from './lib/paths.mjs';
import { GATEWAY } from './lib/placement.mjs';
import { runVisibly } from './lib/processes.mjs';
import { warn } from './lib/progress.mjs';
import { ensureBuilt, serverMeant } from './lib/servers-meant.mjs';
import { serviceNames } from './lib/workspace.mjs';

helpIfAsked();

const [command = '', what = ''] = process.argv.slice(2);
const MONGODB_URI = serverMeant('MONGODB_URI');
if (!['save', 'restore', 'replay'].includes(command) || what === '') {
  warn('npm run backup -- save|restore <folder>, or replay <ISO time>');
  process.exitCode = 2;
} else if (!MONGODB_URI) {
  warn('Laurel is not running: start it with npm start, or set MONGODB_URI.');
  process.exitCode = 1;
} else {
  await ensureBuilt();
  const script = path.join(ROOT, 'packages/backend/dist/backup-cli.js');
  const services = command === 'restore' ? [] : serviceNames().filter((name) => name !== GATEWAY);
  const env = { ...process.env, MONGODB_URI };
  process.exitCode = await runVisibly(process.execPath, [script, command, what, ...services], {
    env,
  });
}
