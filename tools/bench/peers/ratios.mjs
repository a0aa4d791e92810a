// What the platform does, over what the peers do.

/**
 * @typedef {import('../report.mjs').Row} Row
 * @typedef {{ ours: string, peer: string, must: number, goal: number }} Pair
 * @typedef {{ ours: string, peer: string, oursUs: number, peerUs: number }} Cost CPU of all processes for an operation, the store's too
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

/** Directus has its own processes; medici works in that of the bench, which does other things besides. */
const OF_PEERS = /^directus/;

/**
 * What an operation costs of the processors: on a machine that others keep busy this holds where rates do not.
 *
 * @param {readonly Row[]} medians
 * @returns {Cost[]} of the pairs whose peer has processes of its own
 */
export function costsOf(medians) {
  const costOf = (/** @type {string} */ name, /** @type {boolean} */ isPeer) => {
    const figures = medians.find((row) => row.name === name)?.measured.cpuUs ?? {};
    const counted = Object.keys(figures).filter((one) => OF_PEERS.test(one) === isPeer);
    return counted.reduce((sum, one) => sum + (figures[one] ?? 0), 0);
  };
  const measured = new Set(medians.map(({ name }) => name));
  const pairs = PAIRS.filter(({ ours, peer }) => measured.has(ours) && measured.has(peer));
  return pairs
    .filter(({ peer }) => peer.startsWith('Directus'))
    .map(({ ours, peer }) => ({
      ours,
      peer,
      oursUs: costOf(ours, false),
      peerUs: costOf(peer, true),
    }));
}

/** @param {readonly Cost[]} costs */
export const renderCosts = (costs) =>
  [
    '| what | ours, CPU us | peer, CPU us | times as cheap |',
    '|---|--:|--:|--:|',
    ...costs.map(
      ({ ours, peer, oursUs, peerUs }) =>
        `| ${ours} / ${peer} | ${oursUs.toFixed(0)} | ${peerUs.toFixed(0)} | ${(peerUs / oursUs).toFixed(2)} |`,
    ),
  ].join('\n');

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
