// Starting, watching and ending processes by their id, never by their name.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts a process in a group of its own, so that a Ctrl-C in the terminal reaches only us and we decide the order in
 * which things stop. Its output goes to the end of `logFile`.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ logFile: string, env?: NodeJS.ProcessEnv, cwd?: string }} options
 * @returns {import('node:child_process').ChildProcess & { pid: number }}
 */
export function spawnLogged(command, args, { logFile, env = process.env, cwd }) {
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  if (child.pid === undefined) throw new Error(`${command} could not be started; is it installed?`);
  // A process that cannot run is noticed by its missing pid or its exit; without a listener the event would end us.
  child.on('error', () => {});
  child.unref();
  return /** @type {any} */ (child);
}

/**
 * The fields of /proc/<pid>/stat after the command name (which may itself contain blanks).
 *
 * @param {number} pid
 */
function procStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * A zombie counts as dead: it only waits for a parent that may never ask.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  return procStat(pid)?.[0] !== 'Z';
}

/**
 * When a process began, in clock ticks: together with its id it names one process for ever, so that a file left by an
 * earlier run cannot make us end a stranger that was given the same id.
 *
 * @param {number} pid
 * @returns {string} empty where the system does not tell
 */
export function startTimeOf(pid) {
  return procStat(pid)?.[19] ?? '';
}

/**
 * Asks a process to end and waits; after the grace it is killed.
 *
 * @param {number} pid
 * @param {{ signal?: NodeJS.Signals, graceMs?: number }} [options]
 */
export async function stopProcess(pid, { signal = 'SIGTERM', graceMs = 15_000 } = {}) {
  trySignal(pid, signal);
  if (await hasEnded(pid, graceMs)) return;
  trySignal(pid, 'SIGKILL');
  await hasEnded(pid, 5_000);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function trySignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself meanwhile, which is what was asked for.
  }
}

/**
 * @param {number} pid
 * @param {number} withinMs
 */
async function hasEnded(pid, withinMs) {
  const deadline = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await delay(25);
  }
  return true;
}

/** Commands under way: none may outlive us. @type {Set<import('node:child_process').ChildProcess>} */
const commands = new Set();
process.on('exit', () => {
  for (const child of commands) child.kill();
});

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>} what it printed; a failure carries the last lines of it
 */
export function run(command, args, { cwd, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    commands.add(child);
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      commands.delete(child);
      if (code === 0) return resolve(output);
      const lastLines = output.trimEnd().split('\n').slice(-25).join('\n');
      reject(new Error(`${command} ${args.join(' ')} failed (exit code ${code}):\n${lastLines}`));
    });
  });
}

/**
 * Runs a command to its end with its output on the screen.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code
 */
export function runVisibly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' });
    commands.add(child);
    child.on('error', reject);
    child.on('close', (code) => {
      commands.delete(child);
      resolve(code ?? 1);
    });
  });
}
