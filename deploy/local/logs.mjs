// npm run logs: shows the end of the logs of the running platform and follows them.
//
//   npm run logs                 every service of ours
//   npm run logs -- ledger       one of them; brokers and stores have logs, too
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { helpIfAsked } from './lib/help.mjs';
import { MAIN_INSTANCE, shown } from './lib/paths.mjs';
import { say, warn } from './lib/progress.mjs';
import { ALL_IN_ONE, logOf } from './lib/services.mjs';
import { serviceNames } from './lib/workspace.mjs';

helpIfAsked();

/** How much of what was already there is shown. */
const TAIL_BYTES = 16_384;
const LOOK_EVERY_MS = 250;

/**
 * The log files to read, and which of their lines are wanted: one process may host every service.
 *
 * @param {string | undefined} name
 * @returns {{ file: string, wants: (line: string) => boolean }[]}
 */
function sourcesFor(name) {
  const everything = () => true;
  if (!name)
    return [ALL_IN_ONE, ...serviceNames()].map((each) => ({
      file: logOf(MAIN_INSTANCE, each),
      wants: everything,
    }));
  return [
    { file: logOf(MAIN_INSTANCE, name), wants: everything },
    { file: logOf(MAIN_INSTANCE, ALL_IN_ONE), wants: (line) => serviceOf(line) === name },
  ];
}

/** @param {string} line */
function serviceOf(line) {
  try {
    return JSON.parse(line).service;
  } catch {
    return undefined;
  }
}

/** @param {{ file: string, wants: (line: string) => boolean }} source */
async function follow({ file, wants }) {
  let offset = existsSync(file) ? Math.max(0, statSync(file).size - TAIL_BYTES) : 0;
  let isCutOff = offset > 0;
  for (;;) {
    const size = existsSync(file) ? statSync(file).size : 0;
    if (size < offset) offset = 0;
    if (size > offset) {
      const lines = createInterface({
        input: createReadStream(file, { start: offset, end: size - 1 }),
      });
      for await (const line of lines) {
        if (!isCutOff && wants(line)) say(line);
        isCutOff = false;
      }
      offset = size;
    }
    await delay(LOOK_EVERY_MS);
  }
}

const [name] = process.argv.slice(2);
const sources = sourcesFor(name);
if (!sources.some(({ file }) => existsSync(file))) {
  const known = existsSync(MAIN_INSTANCE.logs)
    ? readdirSync(MAIN_INSTANCE.logs).map((file) => path.parse(file).name)
    : [];
  warn(
    `No log of ${name ?? 'any service'} in ${shown(MAIN_INSTANCE.logs)}/${known.length > 0 ? `; there are: ${known.join(', ')}` : ''}`,
  );
  process.exit(1);
}
await Promise.all(sources.map(follow));
