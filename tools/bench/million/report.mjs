// Each figure beside that of the store alone, as people read it.

/** @param {number} value */
const rounded = (value) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/**
 * @param {{ name: string, floor: string }[]} pairs
 * @param {import('./run.mjs').Figures} figures
 * @param {import('./run.mjs').Figures} floors
 */
export function renderPairs(pairs, figures, floors) {
  const lines = pairs.flatMap(({ name, floor }) =>
    Object.entries(figures[name]).map(([inFlight, measured]) => {
      const raw = floors[floor][Number(inFlight)];
      const speeds = [measured.perSecond, measured.p50Ms, measured.p99Ms].map(rounded).join(' | ');
      const floorSpeeds = [raw.perSecond, raw.p50Ms, raw.p99Ms].map(rounded).join(' | ');
      const ratio = rounded(measured.perSecond / raw.perSecond);
      return `| ${name} | ${inFlight} | ${speeds} | ${measured.errors} | ${floor} | ${floorSpeeds} | ${ratio} | ${cpuOf(measured)} |`;
    }),
  );
  return [
    '| what | in flight | per second | p50 ms | p99 ms | errors | the store alone | per second | p50 ms | p99 ms | ratio | CPU us per operation |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** @param {import('../load.mjs').Measured} measured */
const cpuOf = ({ cpuUs }) =>
  Object.entries(cpuUs)
    .filter(([, us]) => us >= 1)
    .sort(([, a], [, b]) => b - a)
    .map(([process, us]) => `${process} ${us.toFixed(0)}`)
    .join(', ');

/** @param {import('./tiers.mjs').Run[]} runs */
export function renderRuns(runs) {
  const lines = runs.map(
    ({ name, clients, seconds, promoted = '', demoted = '' }) =>
      `| ${name} | ${clients} | ${rounded(seconds)} | ${rounded(clients / seconds)} | ${promoted} | ${demoted} |`,
  );
  return [
    '| tiers | clients | seconds | clients per second | promoted | demoted |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
