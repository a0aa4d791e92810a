import { commitOnce } from '@laurel/mongo';
import type { referrals as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { closedEvent } from './referral-events';
import { toReferralReply } from './wire';

/** Cancels a pending referral. */
export function cancelReferral(
  {
    referrals,
    connection,
    outbox,
    clock,
  }: Pick<Deps, 'referrals' | 'connection' | 'outbox' | 'clock'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Referral> {
  return commitOnce(connection, async (session) => {
    const now = clock.now();
    const cancelled = await referrals.cancel(workspaceId, { id, now }, session);
    if (!cancelled) {
      const exists = (await referrals.find(workspaceId, id, session)) !== null;
      throw exists ? refusals.notPending() : refusals.referralNotFound();
    }
    await outbox.append([closedEvent(cancelled)], session);
    return toReferralReply(cancelled);
  });
}
