import { withLease } from '@laurel/mongo';
import type { CoreDeps } from '../deps';
import type { TemplateRefresh } from '../store/template-refreshes';
import { queueWalletUpdate } from './queue-wallet-update';

const LEASE = 'template-refreshes';
const REFRESHES_AT_ONCE = 20;
const PASSES_PER_STEP = 500;
/** A walk waits while so many pushes are owed: a change of points must not stand behind a hundred thousand redraws. */
const OWED_MAX = 1_000;

type RefreshDeps = Pick<
  CoreDeps,
  'connection' | 'holder' | 'passes' | 'passUpdates' | 'templateRefreshes' | 'clock'
>;

/** Goes one step on with each walk over the passes of a template. */
export async function workTemplateRefreshes(deps: RefreshDeps): Promise<{ more: boolean }> {
  const more = await withLease(deps.connection, LEASE, deps.holder, async () => {
    const refreshes = await deps.templateRefreshes.list(REFRESHES_AT_ONCE);
    for (const refresh of refreshes) {
      if ((await deps.passUpdates.countPending(OWED_MAX)) >= OWED_MAX) return false;
      await step(deps, refresh);
    }
    return refreshes.length > 0;
  });
  return { more: more ?? false };
}

async function step(deps: RefreshDeps, refresh: TemplateRefresh): Promise<void> {
  const { workspaceId, templateId, after } = refresh;
  const passIds = await deps.passes.idsOfTemplate(workspaceId, templateId, after, PASSES_PER_STEP);
  await queueWalletUpdate(deps, { workspaceId, passIds });
  if (passIds.length < PASSES_PER_STEP) await deps.templateRefreshes.finish(refresh);
  else await deps.templateRefreshes.advance(refresh, passIds.at(-1)!);
}
