// One run as a table for people; the same figures go out as JSON.

/**
 * @typedef {{ name: string, inFlight: number, measured: import('./load.mjs').Measured }} Row
 * @typedef {{ name: string, value: number, goal: number, atMost?: boolean }} Goal
 */

/** @param {number} value */
const rounded = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

/** @param {Row[]} rows */
export function renderRows(rows) {
  const lines = rows.map(({ name, inFlight, measured }) => {
    const cpu = Object.entries(measured.cpuUs)
      .filter(([, us]) => us >= 1)
      .sort(([, a], [, b]) => b - a)
      .map(([process, us]) => `${process} ${us.toFixed(0)}`)
      .join(', ');
    return `| ${name} | ${inFlight} | ${rounded(measured.perSecond)} | ${rounded(measured.p50Ms)} | ${rounded(measured.p99Ms)} | ${measured.errors} | ${cpu} |`;
  });
  return [
    '| what | in flight | per second | p50 ms | p99 ms | errors | CPU us per operation |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** @param {Goal[]} goals */
export function renderGoals(goals) {
  const lines = goals.map(({ name, value, goal, atMost }) => {
    const reached = atMost ? value <= goal : value >= goal;
    return `| ${name} | ${rounded(value)} | ${atMost ? '≤' : '≥'} ${goal} | ${reached ? 'yes' : 'no'} |`;
  });
  return ['| goal | measured | wanted | reached |', '|---|---|---|---|', ...lines].join('\n');
}

/**
 * The goals as ratios to the floors of the same run.
 *
 * @param {Row[]} rows
 * @param {number} inFlight
 * @returns {Goal[]}
 */
export function goalsOf(rows, inFlight) {
  /**
   * @param {string} name
   * @param {number} [at]
   */
  const row = (name, at = inFlight) => {
    const found = rows.find((each) => each.name === name && each.inFlight === at);
    if (!found) throw new Error(`no row ${name} at ${at}`);
    return found.measured;
  };
  const stub = row('express -> gRPC stub').perSecond;
  /** @param {number} absolute a figure of a machine where the stub does 2 955/s */
  const scaled = (absolute) => absolute / 2_955;
  return [
    {
      name: 'earn / raw 3-write transaction',
      value: row('earn').perSecond / row('raw 3-write transaction').perSecond,
      goal: 1.2,
    },
    { name: 'earn / stub', value: row('earn').perSecond / stub, goal: 0.5 },
    {
      name: 'hot wallet / distinct wallets',
      value: row('earn, one hot wallet').perSecond / row('earn').perSecond,
      goal: 0.9,
    },
    {
      name: 'hot wallet p99 / distinct p99',
      value: row('earn, one hot wallet').p99Ms / row('earn').p99Ms,
      goal: 2,
      atMost: true,
    },
    {
      name: 'gateway p50 over direct gRPC, ms',
      value: row('get client', 1).p50Ms - row('get client, direct gRPC', 1).p50Ms,
      goal: 0.4,
      atMost: true,
    },
    {
      name: 'create client / stub',
      value: row('create client').perSecond / stub,
      goal: Number(scaled(1_800).toFixed(2)),
    },
    {
      name: 'get client / stub',
      value: row('get client').perSecond / stub,
      goal: Number(scaled(2_100).toFixed(2)),
    },
    {
      name: 'list 20 clients / stub',
      value: row('list 20 clients').perSecond / stub,
      goal: Number(scaled(1_600).toFixed(2)),
    },
  ];
}
