// npm run events: events that a consumer gave up on, on the running platform or on the broker of RABBITMQ_URL.
//
//   npm run events -- parked                    what is parked, where and why
//   npm run events -- redrive <queue> [limit]   puts parked events back into their queue, all or so many
import path from 'node:path';
import { helpIfAsked } from './lib/help.mjs';
import { ROOT } from './lib/paths.mjs';
import { runVisibly } from './lib/processes.mjs';
import { warn } from './lib/progress.mjs';
import { ensureBuilt, serverMeant } from './lib/servers-meant.mjs';

helpIfAsked();

const broker = serverMeant('RABBITMQ_URL');
if (broker) {
  await ensureBuilt();
  const command = path.join(ROOT, 'packages/events/dist/cli.js');
  process.exitCode = await runVisibly(process.execPath, [
    command,
    broker,
    ...process.argv.slice(2),
  ]);
} else {
  warn('Laurel is not running: start it with npm start, or set RABBITMQ_URL.');
  process.exitCode = 1;
}
