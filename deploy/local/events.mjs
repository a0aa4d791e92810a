// npm run events: events that a consumer gave up on, on the running platform or on the broker of RABBITMQ_URL.
//
//   npm run events -- parked                    what is parked, where and why
//   npm run events -- redrive <queue> [limit]   puts parked events back into their queue, all or so many
//   npm run events -- discard <queue> <reason> [limit]
//                                               throws away what is parked for a reason, as `parked` says it
//   npm run events -- retire <queue>            deletes a queue that no service consumes, with what is in it and parked
import { createRequire } from 'node:module';
import path from 'node:path';
import { helpIfAsked } from './lib/help.mjs';
import { ROOT } from './lib/paths.mjs';
import { say, warn } from './lib/progress.mjs';
import { ensureBuilt, serverMeant } from './lib/servers-meant.mjs';

helpIfAsked();

/** In this process: arguments of another, the broker's account among them, could be read by every account of the machine. @param {string} url */
async function ofBroker(url) {
  await ensureBuilt();
  const { run } = createRequire(import.meta.url)(path.join(ROOT, 'packages/events/dist/cli.js'));
  try {
    return await run(process.argv.slice(2), { url, print: say });
  } catch (error) {
    warn(`RabbitMQ, ${new URL(url).host}: ${/** @type {Error} */ (error).message}`);
    return 1;
  }
}

const broker = serverMeant('RABBITMQ_URL');
if (broker) process.exitCode = await ofBroker(broker);
else {
  warn('Laurel is not running: start it with npm start, or set RABBITMQ_URL.');
  process.exitCode = 1;
}
