import type { Deps } from '../deps';
import { ledgerMetrics } from '../store/metrics';

const WALLETS_PER_PART = 8_192;

/**
 * Sees to it that where every wallet of every workspace stood at the last full hour, or whatever the interval is, is signed
 * once per workspace and hour: leaves the wallets of each workspace in parts, which any replica reads
 * (`take-checkpoint-part.ts`, docs/adr/0045). That is a while after the hour, when no write of that hour can still be under
 * way, so that the same root follows from the log for ever after. For the same reason a workspace that had no entry by then
 * never will have one, and its parts stay until the next hour to say so.
 *
 * A workspace whose parts are being read gets none of a later hour: who is slower than an hour has a checkpoint less often.
 */
export async function takeCheckpoints(
  deps: Deps,
  walletsPerPart = WALLETS_PER_PART,
): Promise<undefined> {
  const { checkpointIntervalMs: interval, checkpointMarginMs: margin } = deps;
  const at = new Date(Math.floor((deps.now() - margin) / interval) * interval);
  const all = (await deps.wallets.collection.distinct('workspace_id', {})) as string[];
  const taken = await deps.checkpoints.having(at);
  const missing = all.filter((workspaceId) => !taken.has(workspaceId));
  const { open, empty } =
    missing.length === 0 ? NOTHING_UNDER_WAY : await deps.checkpointParts.underWay(at);
  const wanted = missing.filter((workspaceId) => !empty.has(workspaceId));
  for (const workspaceId of wanted) {
    if (open.has(workspaceId)) continue;
    const now = new Date(deps.now(workspaceId));
    const cuts = await deps.wallets.cuts(workspaceId, walletsPerPart);
    await deps.checkpointParts.leave({ workspaceId, at, now }, cuts);
  }
  // A workspace that is new since the hour comes to nothing, and may do so each time.
  const isReading = wanted.some((workspaceId) => open.has(workspaceId));
  if (!isReading && (taken.size > 0 || wanted.length === 0))
    ledgerMetrics.checkpointAt.set(at.getTime() / 1_000);
}

const NOTHING_UNDER_WAY = { open: new Set<string>(), empty: new Set<string>() };
