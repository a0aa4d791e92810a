// npm run status: what runs on this machine, and whether it answers. Exits with 1 when it is not ready.
import { helpIfAsked } from './lib/help.mjs';
import { MAIN_INSTANCE, shown } from './lib/paths.mjs';
import { say } from './lib/progress.mjs';
import { isRunning, readState } from './lib/state.mjs';

helpIfAsked();

/** @param {string} baseUrl */
async function readiness(baseUrl) {
  try {
    const response = await fetch(`${baseUrl}/health/dependencies`, {
      signal: AbortSignal.timeout(3_000),
    });
    return {
      ready: response.ok,
      text: response.ok ? 'ready' : `not well: ${await response.text()}`,
    };
  } catch {
    return { ready: false, text: 'does not answer' };
  }
}

const state = readState(MAIN_INSTANCE.state);
if (!state || !isRunning(state)) {
  const left = state?.parts.filter(isRunning).length ?? 0;
  say(
    `Laurel is not running.${left > 0 ? ` ${left} processes of a killed run are left: npm run stop ends them.` : ''}`,
  );
  process.exitCode = 1;
} else {
  const gateways = await Promise.all(
    state.baseUrls.map(async (url) => ({ url, ...(await readiness(url)) })),
  );
  for (const { url, text } of gateways) say(`${url}  ${text}`);
  if (gateways.length === 0) say('Starting; no gateway answers yet.');
  for (const part of state.parts) {
    say(
      `  ${part.name.padEnd(22)} ${isRunning(part) ? `running, pid ${part.pid}` : 'not running'}`,
    );
  }
  say(`Logs: ${shown(MAIN_INSTANCE.logs)}/`);
  if (gateways.length === 0 || gateways.some(({ ready }) => !ready)) process.exitCode = 1;
}
