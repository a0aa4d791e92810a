import { commitOnce } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { whyNot } from '../domain/sandbox';
import { refusals } from '../refusals';
import { timeIn, toClock } from './get-clock';

/** Begins to move the clock of a sandbox forward; everything that is due until then is done on the way. */
export async function advanceClock(
  { clock, connection, sandboxClocks }: Pick<Deps, 'clock' | 'connection' | 'sandboxClocks'>,
  request: identity.AdvanceClockRequest,
): Promise<identity.SandboxClock> {
  const { workspace_id: workspaceId } = request;
  const to = new Date(request.to);
  return commitOnce(connection, async (session) => {
    const row = await sandboxClocks.find(workspaceId, session);
    if (!row) throw refusals.notASandbox();
    const now = clock.now();
    const problem = whyNot(timeIn(row.ahead_ms, now), to);
    if (problem === 'backward') throw refusals.clockGoesForward();
    if (problem === 'too far') throw refusals.advanceTooFar();
    if (!(await sandboxClocks.begin(workspaceId, { to, now }, session)))
      throw refusals.clockAdvancing();
    return toClock({ ...row, advance: { to, status: 'advancing', problem: null } }, now);
  });
}
