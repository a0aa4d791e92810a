import type { Once } from '@laurel/events';
import type { Deps } from '../deps';
import { type Deed, qualifies } from '../domain/referral';
import { writeCompletion } from './complete-referral';

/** Completes the pending referral of a client who did something that counts, once per event. */
export async function qualifyReferral(
  deps: Deps,
  { workspaceId, clientId, deed }: { workspaceId: string; clientId: string; deed: Deed },
  once: Once,
): Promise<void> {
  const referee = await deps.people.currentOf(workspaceId, clientId);
  const pending = await deps.referrals.pendingOf(workspaceId, referee);
  if (!pending) return;
  await deps.inTurn(pending.referrer_client_id ?? pending.id, () =>
    once(async (session) => {
      const referral = await deps.referrals.find(workspaceId, pending.id, session);
      const program = await deps.programs.find(workspaceId, session);
      if (!referral || !program || !qualifies(referral, program, deed)) return;
      const { eventType, eventId } = deed;
      const completion = { eventType, eventId, now: deps.clock.now() };
      const cap = program.max_referrals_per_referrer;
      await writeCompletion(deps, { referral, completion, cap }, session);
    }),
  );
}
