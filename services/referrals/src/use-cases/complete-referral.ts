import { commitOnce, repeatable, type Session } from '@laurel/mongo';
import type { referrals as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Referral } from '../domain/referral';
import { refusals } from '../refusals';
import type { Completion } from '../store/referrals';
import { completedEvents } from './referral-events';
import { toReferralReply } from './wire';

const BY_HAND = 'manual';

type CompleteDeps = Pick<
  Deps,
  'referrals' | 'people' | 'connection' | 'outbox' | 'clock' | 'inTurn'
>;

/** Completes a pending referral by hand, whatever the program, its cap and the expiry say. */
export async function completeReferral(
  deps: CompleteDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Referral> {
  return repeatable(deps.connection, async () => {
    const referral = await deps.referrals.find(workspaceId, id);
    if (!referral) throw refusals.referralNotFound();
    return deps.inTurn(referral.referrer_client_id ?? id, () =>
      commitOnce(deps.connection, async (session) => {
        const current = await deps.referrals.find(workspaceId, id, session);
        if (!current) throw refusals.referralNotFound();
        if (current.status !== 'pending') throw refusals.notPending();
        const completion = { eventType: BY_HAND, eventId: null, now: deps.clock.now() };
        const uncapped = { referral: current, completion, cap: null };
        return toReferralReply((await writeCompletion(deps, uncapped, session))!);
      }),
    );
  });
}

/**
 * Counts the referral against the referrer's cap, completes it and tells both sides, in the caller's
 * unit of work; null when the referrer is at the cap.
 */
export async function writeCompletion(
  { referrals, people, outbox }: CompleteDeps,
  { referral, completion, cap }: { referral: Referral; completion: Completion; cap: number | null },
  session: Session,
): Promise<Referral | null> {
  const { workspace_id: workspaceId, referrer_client_id: id } = referral;
  const count = id === null ? 0 : await people.countCompletion(workspaceId, { id, cap }, session);
  if (count === null) return null;
  const completed = await referrals.complete(referral, completion, session);
  await outbox.append(completedEvents(completed, count), session);
  return completed;
}
