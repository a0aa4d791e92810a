import type { PieceJob } from '@laurel/work';
import type { PassDeps } from '../../deps';
import type { TemplateRefresh } from '../../store/template-refreshes';
import { followTierFields } from '../pass/follow-tier-fields';
import { queueWalletUpdate } from '../pass/queue-wallet-update';

const PASSES_PER_STEP = 500;
/** A replica that dies at a step lets another go on after this. */
const LEASE_MS = 15_000;
/** A walk waits while its workspace has so many pushes due: a change of points must not stand behind all redraws. */
const DUE_MAX = 1_000;
const WAIT_MS = 200;

type RefreshDeps = Pick<
  PassDeps,
  | 'connection'
  | 'passes'
  | 'passUpdates'
  | 'templateRefreshes'
  | 'tiers'
  | 'clock'
  | 'logger'
  | 'outbox'
>;

/**
 * How a change of a template reaches phones: `queueWalletUpdate` notes it, this job walks over the template's passes step
 * by step and asks for a push of each, `push-updates.ts` sends it. Workspaces take turns, and wait for their own pushes only.
 */
export const templateRefreshWorker = (deps: RefreshDeps): PieceJob<TemplateRefresh> => ({
  name: 'work-template-refreshes',
  due: deps.templateRefreshes.due,
  concurrency: 4,
  share: 2,
  leaseMs: LEASE_MS,
  clock: deps.clock,
  work: (refresh) => step(deps, refresh),
});

async function step(deps: RefreshDeps, refresh: TemplateRefresh): Promise<void> {
  const { workspaceId, templateId, after } = refresh;
  const now = deps.clock.now();
  if ((await deps.passUpdates.countDue(workspaceId, now, DUE_MAX)) >= DUE_MAX)
    return deps.templateRefreshes.postpone(refresh, new Date(now.getTime() + WAIT_MS));
  const some = { templateId, after, max: PASSES_PER_STEP };
  const passIds = await deps.passes.idsOfTemplate(workspaceId, some);
  // A change of tiers sets these walks off, too.
  await followTierFields(deps, workspaceId, passIds);
  await queueWalletUpdate(deps, { workspaceId, passIds });
  if (passIds.length < PASSES_PER_STEP) await deps.templateRefreshes.finish(refresh);
  else await deps.templateRefreshes.advance(refresh, passIds.at(-1)!);
}
