// Who checks the checker: a green run means nothing unless harm is noticed.
import { CORRUPTIONS } from './corruptions/index.mjs';
import { INVARIANTS } from './invariants.mjs';

/** @typedef {import('./world.mjs').World} World */

/**
 * Plants every corruption, one at a time, into a copy of a world; each must be noticed by the invariant it names.
 *
 * @param {World} world is not changed
 * @param {(text: string) => void} say
 * @returns {string[]} what went unnoticed
 */
export function selfTest(world, say) {
  const checks = new Map(INVARIANTS.map(({ name, check }) => [name, check]));
  /** @type {string[]} */
  const missed = [];
  let planted = 0;
  for (const { name, caughtBy, plant } of CORRUPTIONS) {
    const harm = plant(world);
    if (harm === null) continue;
    planted += 1;
    const finding = checks.get(caughtBy)?.({ ...world, ...harm });
    if (!finding || finding.violations.length === 0) missed.push(`${name} (${caughtBy})`);
  }
  say(`\nSelf-test: ${planted - missed.length} of ${planted} planted corruptions were caught`);
  for (const name of missed) say(`  missed: ${name}`);
  return missed;
}
