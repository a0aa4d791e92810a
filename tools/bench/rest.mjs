// node tools/bench/rest.mjs [--seconds 30] [--json FILE]: what the running platform asks its store, and what CPU it uses, while
// no request comes in. Start it first (`npm start`, one process). The commands are counted in the process
// itself, over the inspector, so that nothing is built into the platform for it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LOCAL } from '../../deploy/local/lib/paths.mjs';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, json: { type: 'string' } },
});
const SECONDS = Number(options.seconds);
const TICKS_PER_SECOND = 100;
const INSPECTOR = 'http://127.0.0.1:9229/json/list';

/** Runs inside the platform: counts each command by database, collection and name. */
const COUNT = `(() => {
  if (globalThis.storeCommands) { globalThis.storeCommands.clear(); return 'again'; }
  const counts = (globalThis.storeCommands = new Map());
  const loaded = Object.keys(require.cache).find((file) => file.endsWith('/cmap/connection.js'));
  const { Connection } = require(loaded);
  const send = Connection.prototype.command;
  Connection.prototype.command = function (ns, command, ...rest) {
    const [name] = Object.keys(command);
    const key = [ns.db, typeof command[name] === 'string' ? command[name] : '-', name].join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return send.call(this, ns, command, ...rest);
  };
  return 'counting';
})()`;

/** @returns {number} */
function platformPid() {
  const { parts } = JSON.parse(readFileSync(path.join(LOCAL, 'run.json'), 'utf8'));
  const found = parts.find((/** @type {{ name: string }} */ { name }) => name === 'all-in-one');
  if (!found) throw new Error('the platform does not run in one process here: npm start first');
  return found.pid;
}

/** @param {number} pid @returns {number} seconds of CPU so far */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** @param {number} pid */
async function openInspector(pid) {
  process.kill(pid, 'SIGUSR1');
  for (let tries = 0; ; tries += 1) {
    await pause(100);
    const found = await fetch(INSPECTOR).then(
      (answer) => answer.json(),
      () => null,
    );
    if (found) {
      const socket = new WebSocket(found[0].webSocketDebuggerUrl);
      await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
      return socket;
    }
    if (tries === 50) throw new Error('the inspector of the platform does not answer');
  }
}

/** @param {WebSocket} socket @param {string} expression @returns {Promise<string>} */
function evaluate(socket, expression) {
  return new Promise((resolve, reject) => {
    socket.addEventListener(
      'message',
      ({ data }) => {
        const { result } = JSON.parse(data);
        if (result.exceptionDetails)
          reject(new Error(result.exceptionDetails.exception.description));
        else resolve(result.result.value);
      },
      { once: true },
    );
    const params = { expression, includeCommandLineAPI: true, returnByValue: true };
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
  });
}

const pid = platformPid();
const socket = await openInspector(pid);
await evaluate(socket, COUNT);
const cpuBefore = cpuOf(pid);
const begunAt = performance.now();
await pause(SECONDS * 1_000);
const seconds = (performance.now() - begunAt) / 1_000;
const cpu = (cpuOf(pid) - cpuBefore) / seconds;
/** @type {[string, number][]} */
const counts = JSON.parse(await evaluate(socket, 'JSON.stringify([...storeCommands])'));
socket.close();
const perSecond = counts.reduce((sum, [, count]) => sum + count, 0) / seconds;
for (const [key, count] of counts.sort((a, b) => b[1] - a[1]))
  console.log(`${(count / seconds).toFixed(2).padStart(8)}/s  ${key}`);
console.log(`${perSecond.toFixed(1).padStart(8)}/s  store commands at rest`);
console.log(`${(cpu * 100).toFixed(1).padStart(8)} %  of a core`);
if (options.json)
  writeFileSync(options.json, JSON.stringify({ perSecond, cpu, seconds, counts }, null, 2));
