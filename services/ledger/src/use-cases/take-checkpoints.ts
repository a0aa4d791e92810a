import type { Deps } from '../deps';
import { ledgerMetrics } from '../store/metrics';

const WALLETS_PER_PART = 8_192;

/** The hour that is being signed, and the workspaces that were there at its first look and are not through. */
export interface Round {
  at: number;
  left: Set<string>;
}

export const noRound = (): Round => ({ at: Number.NaN, left: new Set() });

/**
 * Sees to it that where every wallet of every workspace stood at the last full hour, or whatever the interval is, is signed
 * once per workspace and hour: leaves the wallets of each workspace in parts, which any replica reads
 * (`take-checkpoint-part.ts`, docs/adr/0045). That is a while after the hour, when no write of that hour can still be under
 * way, so that the same root follows from the log for ever after. For the same reason a workspace that had no entry by then
 * never will have one, and its parts stay until the next hour to say so.
 *
 * A workspace whose parts are being read gets none of a later hour: who is slower than an hour has a checkpoint less often.
 * A fault in one workspace keeps no other from its parts; rejects with what failed once all had their turn.
 */
export async function takeCheckpoints(
  deps: Deps,
  round: Round,
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
  const failures: unknown[] = [];
  for (const workspaceId of wanted.filter((one) => !open.has(one))) {
    try {
      const now = new Date(deps.now(workspaceId));
      const cuts = await deps.wallets.cuts(workspaceId, walletsPerPart);
      await deps.checkpointParts.leave({ workspaceId, at, now }, cuts);
    } catch (error) {
      failures.push(error);
    }
  }
  if (isOver(round, at, wanted)) ledgerMetrics.checkpointAt.set(at.getTime() / 1_000);
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} workspaces have no parts yet`);
}

/** Whether all who were there at the first look at a moment are through; those that are new since then do not count. */
function isOver(round: Round, at: Date, wanted: readonly string[]): boolean {
  if (round.at !== at.getTime()) Object.assign(round, { at: at.getTime(), left: new Set(wanted) });
  const still = new Set(wanted);
  for (const workspaceId of round.left) if (!still.has(workspaceId)) round.left.delete(workspaceId);
  return round.left.size === 0;
}

const NOTHING_UNDER_WAY = { open: new Set<string>(), empty: new Set<string>() };
