// npm run stop: ends the platform that `npm start` runs in another terminal, or what is left of one that was killed.
import { helpIfAsked } from './lib/help.mjs';
import { MAIN_INSTANCE } from './lib/paths.mjs';
import { stopProcess } from './lib/processes.mjs';
import { say } from './lib/progress.mjs';
import { forgetState, isRunning, readState, stopLeftovers } from './lib/state.mjs';

helpIfAsked();

/** Longer than the slowest orderly stop, so that nothing is killed which is about to end. */
const GRACE_MS = 90_000;

const state = readState(MAIN_INSTANCE.state);
if (!state) {
  say('Laurel is not running.');
} else {
  say('Stopping ...');
  if (isRunning(state)) await stopProcess(state.pid, { graceMs: GRACE_MS });
  await stopLeftovers(state);
  forgetState(MAIN_INSTANCE.state);
  say('Stopped. The data is kept.');
}
