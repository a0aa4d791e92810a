// What the broker's own tool says of its queues and bindings.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, run } from '../../deploy/local/lib/processes.mjs';
import { DISK_FREE_MIN, MEMORY_MAX } from '../../deploy/local/rabbitmq.mjs';
import { TAP_QUEUE } from './tap.mjs';

/** @typedef {import('./checker/world.mjs').Queue} Queue */
/** @typedef {import('./checker/world.mjs').Binding} Binding */

const DEBIAN_CTL = '/usr/lib/rabbitmq/bin/rabbitmqctl';

/** @param {number} pid @returns {Record<string, string>} the environment that a process was started with */
export function environmentOf(pid) {
  const rows = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    rows.map((row) => [row.slice(0, row.indexOf('=')), row.slice(row.indexOf('=') + 1)]),
  );
}

/** Rejects where the broker has just died, too. @param {number} pid of the broker @param {string[]} command @returns {Promise<string>} */
async function tell(pid, command) {
  // Of a broker that has just died it would start the name server anew, and leave it behind.
  const own = environmentOf(pid);
  const env = { ...own, RABBITMQ_CTL_ERL_ARGS: '-start_epmd false' };
  return run(DEBIAN_CTL, ['--quiet', ...command], { env, cwd: path.dirname(String(own.HOME)) });
}

/** @param {number} pid of the broker @param {string[]} command @returns {Promise<any[]>} */
const ask = async (pid, command) =>
  JSON.parse(await tell(pid, ['--formatter', 'json', ...command]));

/** Work, retry and parking queues; the register of queues is a stream, whose rows stay. @param {number} pid @returns {Promise<Queue[]>} */
export async function listQueues(pid) {
  const columns = ['name', 'type', 'messages_ready', 'messages_unacknowledged'];
  const rows = await ask(pid, ['list_queues', ...columns]);
  return rows
    .filter(({ type, name }) => !String(type).includes('stream') && name !== TAP_QUEUE)
    .map(({ name, messages_ready, messages_unacknowledged }) => ({
      name,
      ready: Number(messages_ready),
      unacknowledged: Number(messages_unacknowledged),
    }));
}

/** A consumer whose events are divided into slots is bound by the exchange before them. @param {number} pid @returns {Promise<Binding[]>} */
export async function listBindings(pid) {
  const rows = await ask(pid, ['list_bindings', 'source_name', 'destination_name', 'routing_key']);
  return rows
    .filter(({ source_name }) => source_name === 'loyalty.events')
    .map(({ destination_name, routing_key }) => ({
      queue: String(destination_name).replace(/\.slots$/, ''),
      pattern: routing_key,
    }));
}

/** What makes the broker say that it is short of something, and what ends that. */
const ALARMS = {
  memory: {
    begin: ['set_vm_memory_high_watermark', 'absolute', '1MB'],
    end: ['set_vm_memory_high_watermark', 'absolute', MEMORY_MAX],
  },
  disk: {
    begin: ['set_disk_free_limit', '1000000GB'],
    end: ['set_disk_free_limit', DISK_FREE_MIN],
  },
};

/**
 * Lets the broker say that it is out of memory, or of disk: it reads nothing more of who publishes.
 *
 * @param {number} pid
 * @param {{ of: keyof typeof ALARMS, forMs: number }} alarm
 * @returns {Promise<boolean>} whether it was there to say so
 */
export async function soundAlarm(pid, { of, forMs }) {
  const set = (/** @type {string[]} */ command) =>
    tell(pid, command).then(
      () => true,
      () => false,
    );
  const rang = await set(ALARMS[of].begin);
  await pause(forMs);
  // It may be frozen meanwhile; one that has died comes back with what it is configured with.
  while (isAlive(pid) && !(await set(ALARMS[of].end))) await pause(200);
  return rang;
}
