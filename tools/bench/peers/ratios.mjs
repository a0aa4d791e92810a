// What the platform does, over what the peers do.

/**
 * @typedef {import('../report.mjs').Row} Row
 * @typedef {{ ours: string, peer: string, must: number, goal: number }} Pair
 */

/** @type {readonly Pair[]} */
export const PAIRS = [
  { ours: 'create client', peer: 'Directus, create', must: 3, goal: 5 },
  { ours: 'get client', peer: 'Directus, get', must: 4, goal: 6 },
  { ours: 'list 20 clients', peer: 'Directus, list 20', must: 2.5, goal: 4 },
  { ours: 'earn', peer: 'Directus, patch', must: 3, goal: 5 },
  { ours: 'spend', peer: 'medici, guarded spend', must: 20, goal: 40 },
];

/**
 * Of each row the round in the middle by its rate, with the errors of all rounds.
 *
 * @param {readonly Row[]} rows
 * @returns {Row[]} in the order in which they were first measured
 */
export function mediansOf(rows) {
  const names = [...new Set(rows.map(({ name }) => name))];
  return names.map((name) => {
    const rounds = rows.filter((row) => row.name === name);
    const sorted = [...rounds].sort(
      (one, other) => one.measured.perSecond - other.measured.perSecond,
    );
    const middle = /** @type {Row} */ (sorted[Math.floor((sorted.length - 1) / 2)]);
    const errors = rounds.reduce((sum, { measured }) => sum + measured.errors, 0);
    return { ...middle, measured: { ...middle.measured, errors } };
  });
}

/**
 * @param {readonly Row[]} medians
 * @param {string} mode in which our services ran
 * @returns {import('../report.mjs').Goal[]}
 */
export function ratiosOf(medians, mode) {
  const rateOf = (/** @type {string} */ name) =>
    medians.find((row) => row.name === name)?.measured.perSecond;
  return PAIRS.flatMap(({ ours, peer, must, goal }) => {
    const [rate, beside] = [rateOf(ours), rateOf(peer)];
    if (rate === undefined || beside === undefined) return [];
    return [{ name: `${ours} / ${peer}`, mode, value: rate / beside, must, goal }];
  });
}
