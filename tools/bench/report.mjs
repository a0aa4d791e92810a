// One run as a table for people; the same figures go out as JSON.

/**
 * @typedef {{ name: string, mode: string, inFlight: number, measured: import('./load.mjs').Measured }} Row a floor has no mode
 * @typedef {{ name: string, mode: string, value: number, must: number, goal: number, atMost?: boolean, atBest?: number | undefined }} Goal `atBest`: what would be
 *   measured if all of ours took no more of the processors than one hop does
 */

/** The row that leaves out the gateway. */
export const DIRECT = 'get client, direct gRPC';

/** @param {number} value */
const rounded = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

/** @param {Row[]} rows */
export function renderRows(rows) {
  const lines = rows.map(({ name, mode, inFlight, measured }) => {
    const cpu = Object.entries(measured.cpuUs)
      .filter(([, us]) => us >= 1)
      .sort(([, a], [, b]) => b - a)
      .map(([process, us]) => `${process} ${us.toFixed(0)}`)
      .join(', ');
    return `| ${name} | ${mode} | ${inFlight} | ${rounded(measured.perSecond)} | ${rounded(measured.p50Ms)} | ${rounded(measured.p99Ms)} | ${measured.errors} | ${measured.othersCores.toFixed(1)} | ${cpu} |`;
  });
  return [
    '| what | services | in flight | per second | p50 ms | p99 ms | errors | cores of others | CPU us per operation |',
    '|---|---|--:|--:|--:|--:|--:|--:|---|',
    ...lines,
  ].join('\n');
}

/** @param {Goal[]} goals */
export function renderGoals(goals) {
  const lines = goals.map(({ name, mode, value, must, goal, atMost, atBest }) => {
    const meets = (/** @type {number} */ figure) => (atMost ? value <= figure : value >= figure);
    const verdict = meets(goal) ? 'goal' : meets(must) ? 'must' : 'missed';
    const best = atBest === undefined ? '' : rounded(atBest);
    return `| ${name} | ${mode} | ${rounded(value)} | ${best} | ${must} | ${goal} | ${verdict} |`;
  });
  return [
    '| what | services | measured | at best | must | goal | reached |',
    '|---|---|--:|--:|--:|--:|---|',
    ...lines,
  ].join('\n');
}

const TRANSACTION = 'raw 3-write transaction';
const STUB = 'express -> gRPC stub';
const PER_100 = 'earn, batches of 100 (entries)';
/** Rates beside the floor of the same run: what, over what, must and goal; `at` where it is not the highest load. */
const RATIOS = [
  { name: 'earn', floor: TRANSACTION, must: 0.7, goal: 1.2 },
  { name: 'spend', floor: TRANSACTION, must: 0.8, goal: 1.2 },
  { name: 'create client', floor: TRANSACTION, must: 0.7, goal: 1 },
  { name: 'get client', floor: STUB, must: 0.55, goal: 0.7 },
  { name: 'list 20 clients', floor: STUB, must: 0.3, goal: 0.5 },
  { name: PER_100, floor: 'raw insertMany of 100 (documents)', at: 4, must: 0.25, goal: 0.4 },
  { name: 'post event, no rule', floor: TRANSACTION, must: 0.7, goal: 1 },
  { name: 'post event, ten rules, one fires', floor: TRANSACTION, must: 0.3, goal: 0.5 },
  { name: 'redeem', floor: 'raw writes of a redemption', must: 0.4, goal: 0.6 },
];

/** What is not ours: the store with its gateway, the broker, Redis. */
const SERVERS = ['documentdb', 'documentdb-gateway', 'mongodb', 'rabbitmq', 'redis'];
/** @param {Record<string, number>} cpuUs @param {readonly string[]} [names] */
const sumOf = (cpuUs, names = Object.keys(cpuUs)) =>
  names.reduce((sum, name) => sum + (cpuUs[name] ?? 0), 0);

/**
 * The limit of a row on this machine, all of whose cores are busy: the servers do what they were seen to do for it, and all else is one
 * hop from HTTP to gRPC. Undefined where the hop was not measured.
 *
 * @param {import('./load.mjs').Measured} row
 * @param {import('./load.mjs').Measured} floor
 * @param {import('./load.mjs').Measured} [hop]
 */
function bestOf(row, floor, hop) {
  if (!hop) return undefined;
  const least = sumOf(row.cpuUs, SERVERS) + sumOf(hop.cpuUs) + row.ownUs;
  return (sumOf(floor.cpuUs) + floor.ownUs) / least;
}

/**
 * What must be reached and what is wished for, of a mode in which the services ran; rows that were not measured are left out.
 *
 * @param {{ rows: Row[], mode: string, inFlight: number, fanOut?: { deliveriesPerSecond: number } | undefined }} run
 * @returns {Goal[]}
 */
export function goalsOf({ rows, mode, inFlight, fanOut }) {
  /**
   * @param {string} name
   * @param {number} [at]
   */
  const measured = (name, at = inFlight) =>
    rows.find(
      (each) => each.name === name && each.inFlight === at && ['', mode].includes(each.mode),
    )?.measured;
  /** @type {Goal[]} */
  const goals = [];
  for (const { name, floor, at, must, goal } of RATIOS) {
    const [row, beside] = [measured(name, at), measured(floor, at)];
    if (row && beside)
      goals.push({
        name: `${name} / ${floor}`,
        mode,
        value: row.perSecond / beside.perSecond,
        must,
        goal,
        atBest: bestOf(row, beside, measured(STUB, at)),
      });
  }
  const [hot, distinct] = [measured('earn, one hot wallet'), measured('earn')];
  if (hot && distinct)
    goals.push({
      name: 'one hot wallet / distinct wallets',
      mode,
      value: hot.perSecond / distinct.perSecond,
      must: 0.9,
      goal: 1,
    });
  const [through, direct] = [measured('get client', 1), measured(DIRECT, 1)];
  if (through && direct)
    goals.push({
      name: 'gateway p50 over direct gRPC, 1 in flight, ms',
      mode,
      value: through.p50Ms - direct.p50Ms,
      must: 0.6,
      goal: 0.4,
      atMost: true,
    });
  if (fanOut)
    goals.push({
      name: 'webhooks delivered a second',
      mode,
      value: fanOut.deliveriesPerSecond,
      must: 1_500,
      goal: 3_000,
    });
  return goals;
}
