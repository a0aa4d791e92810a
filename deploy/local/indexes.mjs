// npm run indexes: the indexes of every database as a step of their own, on the running platform or the MongoDB of MONGODB_URI.
//
//   npm run indexes -- plan      what is to be built, and what no release needs any more; changes nothing, exits with 1 when there is something
//   npm run indexes -- apply     builds what is missing, while services run; before an upgrade
//   npm run indexes -- prune     drops what this release has given up, and nothing that it does not know; once no pod of an earlier one runs
import path from 'node:path';
import { helpIfAsked } from './lib/help.mjs';
import { ROOT } from './lib/paths.mjs';
import { GATEWAY } from './lib/placement.mjs';
import { runVisibly } from './lib/processes.mjs';
import { warn } from './lib/progress.mjs';
import { ensureBuilt, serverMeant } from './lib/servers-meant.mjs';
import { serviceNames } from './lib/workspace.mjs';

helpIfAsked();

const COMMANDS = ['plan', 'apply', 'prune'];

/** @param {string} command */
async function ofEveryService(command) {
  const MONGODB_URI = serverMeant('MONGODB_URI');
  if (!MONGODB_URI) {
    warn('Laurel is not running: start it with npm start, or set MONGODB_URI.');
    return 1;
  }
  await ensureBuilt();
  let worst = 0;
  for (const service of serviceNames().filter((name) => name !== GATEWAY)) {
    const script = path.join(ROOT, 'packages/backend/dist/indexes-cli.js');
    const folder = path.join(ROOT, 'services', service);
    const env = { ...process.env, MONGODB_URI };
    worst = Math.max(worst, await runVisibly(process.execPath, [script, command, folder], { env }));
  }
  return worst;
}

const [command = ''] = process.argv.slice(2);
if (COMMANDS.includes(command)) process.exitCode = await ofEveryService(command);
else {
  warn(`npm run indexes -- ${COMMANDS.join('|')}`);
  process.exitCode = 2;
}
