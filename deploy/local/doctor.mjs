// npm run doctor: what is wrong, in words: settings, connections, indexes, queues and parked events, lag, certificates, clocks.
//
//   npm run doctor       the platform that npm start runs; else the servers and settings of the environment, and the gateways of GATEWAY_URLS, with commas between them
//
// It changes nothing. Exits with 1 when something is broken, with 0 when there is only something to be looked at.
import { createRequire } from 'node:module';
import path from 'node:path';
import { helpIfAsked } from './lib/help.mjs';
import { MAIN_INSTANCE, ROOT } from './lib/paths.mjs';
import { say } from './lib/progress.mjs';
import { ensureBuilt, namesServers } from './lib/servers-meant.mjs';
import { localSettings } from './lib/settings.mjs';
import { isRunning, readState } from './lib/state.mjs';
import { serviceNames } from './lib/workspace.mjs';

helpIfAsked();

const load = createRequire(import.meta.url);
const built = (/** @type {string} */ folder) => load(path.join(ROOT, folder, 'dist/index.js'));

/** The local platform where it runs and the caller asks for no other. */
function whom() {
  const state = readState(MAIN_INSTANCE.state);
  if (namesServers(process.env) || !state?.urls || !isRunning(state))
    return {
      where: 'the settings of the environment',
      environment: process.env,
      baseUrls: (process.env.GATEWAY_URLS ?? '').split(',').filter(Boolean),
    };
  const { baseUrls, urls } = state;
  const PUBLIC_URL = baseUrls[0] ?? '';
  const environment = { PUBLIC_URL, ...localSettings(MAIN_INSTANCE, urls) };
  return { where: 'the platform on this machine', environment, baseUrls };
}

await ensureBuilt();
const { diagnose, describeFindings } = built('packages/backend');
const patients = serviceNames().map((name) => {
  const { settings, indexes } = built(`services/${name}`);
  return { name, settings, indexes };
});
const { where, environment, baseUrls } = whom();
say(`Looking at ${where} ...`);
const findings = await diagnose({ patients, environment, baseUrls });
say(describeFindings(findings));
// Some clients of servers that are away hold on to their sockets.
process.exit(
  findings.some((/** @type {{ level: string }} */ one) => one.level === 'broken') ? 1 : 0,
);
