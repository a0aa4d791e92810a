// What waited for the next release, as the services of the release before logged it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SAID = 'an event waits for a newer release';

/** How often an event waited, by queue. @param {string} logs @returns {Map<string, number>} */
export function countNewer(logs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of readdirSync(logs).filter((file) => file.endsWith('.log')))
    for (const line of readFileSync(path.join(logs, name), 'utf8').split('\n')) {
      if (!line.includes(SAID)) continue;
      const { queue } = JSON.parse(line);
      counts.set(queue, (counts.get(queue) ?? 0) + 1);
    }
  return counts;
}
