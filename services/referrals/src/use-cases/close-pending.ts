import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Closing, Selection } from '../store/closings';
import { closedEvent } from './referral-events';

const BATCH = 500;

export type CloseDeps = Pick<Deps, 'closings' | 'connection' | 'outbox' | 'clock'>;

/** Closes one batch of pending referrals, each with its event; safe beside any other work on them. */
export async function closeSome(
  { closings, connection, outbox, clock }: CloseDeps,
  selection: Selection,
  status: Closing['status'],
): Promise<{ closed: number; more: boolean }> {
  const ids = await closings.candidates(selection, BATCH);
  if (ids.length === 0) return { closed: 0, more: false };
  const closed = await unitOfWork(connection, async (session) => {
    const now = 'workspaceId' in selection ? clock.now(selection.workspaceId) : clock.now();
    const closing = { status, now };
    const referrals = await closings.close({ ids, selection }, closing, session);
    await outbox.append(referrals.map(closedEvent), session);
    return referrals.length;
  });
  return { closed, more: ids.length === BATCH };
}

/** Closes all of them, however many are at it; the number that this call closed. */
export async function closeAll(
  deps: CloseDeps,
  selection: Selection,
  status: Closing['status'],
): Promise<number> {
  let total = 0;
  for (let more = true; more; ) {
    const batch = await closeSome(deps, selection, status);
    total += batch.closed;
    more = batch.more;
  }
  return total;
}
