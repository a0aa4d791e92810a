// Who checks the checker: a green run means nothing unless harm is noticed.
import { CORRUPTIONS } from './corruptions/index.mjs';
import { INVARIANTS } from './invariants.mjs';

/** @typedef {import('./world.mjs').World} World */

/**
 * Plants every corruption, one at a time, into a copy of a world; each must be noticed by the invariant it names.
 *
 * @param {World} world is not changed
 * @param {(text: string) => void} say
 * @returns {{ missed: string[], planted: number, missing: string[] }} what went unnoticed, how many were planted, and which the
 *   world had nothing for
 */
export function selfTest(world, say) {
  const checks = new Map(INVARIANTS.map(({ name, check }) => [name, check]));
  /** @type {string[]} */
  const missed = [];
  /** @type {string[]} */
  const missing = [];
  let planted = 0;
  for (const { name, caughtBy, plant } of CORRUPTIONS) {
    const harm = plant(world);
    if (harm === null) {
      missing.push(name);
      continue;
    }
    planted += 1;
    const finding = checks.get(caughtBy)?.({ ...world, ...harm });
    if (!finding || finding.violations.length === 0) missed.push(`${name} (${caughtBy})`);
  }
  say(`\nSelf-test: ${planted - missed.length} of ${planted} planted corruptions were caught`);
  for (const name of missed) say(`  missed: ${name}`);
  if (missing.length > 0) say(`  nothing to plant into: ${missing.join('; ')}`);
  return { missed, planted, missing };
}
