import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { SandboxClockRow } from '../store/sandbox-clocks';

/** What time it is in a workspace, and of a sandbox how far the last advance has come. Live ones go by real time. */
export async function getClock(
  { clock, sandboxClocks }: Pick<Deps, 'clock' | 'sandboxClocks'>,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.SandboxClock> {
  const row = await sandboxClocks.find(workspace_id);
  const now = clock.now();
  if (row) return toClock(row, now);
  return { now: now.toISOString(), status: 'ready', to: null, problem: null, ends_at: null };
}

export function toClock(
  { ahead_ms, advance, ends_at }: SandboxClockRow,
  realNow: Date,
): identity.SandboxClock {
  return {
    now: timeIn(ahead_ms, realNow).toISOString(),
    status: advance?.status ?? 'ready',
    to: advance?.to.toISOString() ?? null,
    problem: advance?.problem ?? null,
    ends_at: ends_at.toISOString(),
  };
}

export const timeIn = (aheadMs: number, realNow: Date): Date =>
  new Date(realNow.getTime() + aheadMs);
