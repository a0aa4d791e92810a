// What becomes of a hundred thousand members when the rules change: the preview of it, and the job that applies it.
import { pause } from '../load.mjs';

const LOOK_EVERY_MS = 200;
const JOB_MS_MAX = 1_800_000;

/**
 * @typedef {{ name: string, clients: number, seconds: number, promoted?: number, demoted?: number }} Run
 *
 * @param {import('../subjects.mjs').Http} http
 * @param {import('./scene.mjs').Place} place
 * @returns {Promise<Run[]>}
 */
export async function measureTiers(http, { id, token, plan }) {
  const path = (rest) => `/service-api/workspace/${id}/${rest}`;
  const post = async (rest, body, statuses) =>
    (await http.request('POST', path(rest), { token, body, statuses })).data;
  const gold = /** @type {import('./client-records.mjs').Tier} */ (plan.tiers.at(-1));
  const change = (threshold) => ({ condition_values: { total_earned: threshold } });
  const { total_earned: threshold } = gold.condition_values;

  const job = async (name, jobId) => {
    const deadline = performance.now() + JOB_MS_MAX;
    for (;;) {
      const { data } = await http.request('GET', path(`tiers/resync-jobs/${jobId}`), { token });
      if (data.status === 'completed') return toRun(name, data);
      if (data.status === 'failed' || performance.now() > deadline)
        throw new Error(`${name}: ${JSON.stringify(data)}`);
      await pause(LOOK_EVERY_MS);
    }
  };
  const startedAt = performance.now();
  const preview = await post('tiers/preview', {
    tiers: plan.tiers.map(({ id: tierId, condition_values, ...tier }) => ({
      id: tierId,
      condition_values:
        tierId === gold.id ? change(threshold / 2).condition_values : condition_values,
      sort_order: tier.sort_order,
    })),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const runs = [{ name: 'preview of other rules', clients: preview.evaluated, seconds }];
  const again = await post('tiers/recalculate', {}, [202]);
  runs.push(await job('recalculation that moves nobody', again.id));
  for (const value of [threshold / 2, threshold]) {
    const changed = await http.request('PATCH', path(`tiers/${gold.id}`), {
      token,
      body: change(value),
    });
    runs.push(await job(`resync after a threshold became ${value}`, changed.resync_job_id));
  }
  return runs;
}

/** @returns {Run} by the job's own clock */
function toRun(name, { processed, promoted, demoted, started_at, finished_at }) {
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1_000;
  return { name, clients: processed, seconds, promoted, demoted };
}
