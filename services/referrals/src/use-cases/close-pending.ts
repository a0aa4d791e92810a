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
): Promise<{ more: boolean }> {
  const ids = await closings.candidates(selection, BATCH);
  if (ids.length === 0) return { more: false };
  await unitOfWork(connection, async (session) => {
    const now = 'workspaceId' in selection ? clock.now(selection.workspaceId) : clock.now();
    const closing = { status, now };
    const referrals = await closings.close({ ids, selection }, closing, session);
    await outbox.append(referrals.map(closedEvent), session);
  });
  return { more: ids.length === BATCH };
}

/** Closes all of them, however many are at it. */
export async function closeAll(
  deps: CloseDeps,
  selection: Selection,
  status: Closing['status'],
): Promise<void> {
  while ((await closeSome(deps, selection, status)).more);
}
