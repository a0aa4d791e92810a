import type { Once } from '@laurel/events';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { type Deed, qualifies, type Referral } from '../domain/referral';
import { writeCompletion } from './complete-referral';
import { mergeClients } from './merge-clients';

interface Doer {
  workspaceId: string;
  clientId: string;
  /** Clients that became part of this one, whether that was heard of here or not. */
  merged: readonly string[];
}

/** Completes the pending referral of a client who did something that counts, once per event. */
export async function qualifyReferral(
  deps: Deps,
  { deed, ...doer }: Doer & { deed: Deed },
  once: Once,
): Promise<void> {
  const { workspaceId } = doer;
  await catchUpOnMerges(deps, doer);
  const pending = await pendingOf(deps, doer);
  if (!pending) return;
  await deps.inTurn(pending.referrer_client_id ?? pending.id, () =>
    once(async (session) => {
      // Another one by now where a merge in between has cancelled that.
      const referral = await pendingOf(deps, doer, session);
      const program = await deps.programs.find(workspaceId, session);
      if (!referral || !program || !qualifies(referral, program, deed)) return;
      const { eventType, eventId } = deed;
      const completion = { eventType, eventId, now: deps.clock.now() };
      const cap = program.max_referrals_per_referrer;
      await writeCompletion(deps, { referral, completion, cap }, session);
    }),
  );
}

/**
 * Carries out the merges that an event knows of and this service does not: what the client did is theirs, too, who became
 * part of it, and which of their referrals stays is the merge's to say. `clients.merged` finds it done.
 */
async function catchUpOnMerges(deps: Deps, { workspaceId, clientId, merged }: Doer): Promise<void> {
  if (merged.length === 0) return;
  const known = await deps.people.goneAmong(workspaceId, merged);
  for (const sourceId of merged.filter((id) => !known.has(id))) {
    const merge = { workspaceId, sourceId, targetId: clientId };
    await unitOfWork(deps.connection, (session) => mergeClients(deps, merge, session));
  }
}

/**
 * The pending referral of a client, or of whom it has become. That is asked after the referral, which a merge may move in
 * between: one that was not found has gone to the one who is named then.
 */
async function pendingOf(
  { people, referrals }: Deps,
  { workspaceId, clientId }: Doer,
  session?: Session,
): Promise<Referral | null> {
  for (let asked = clientId; ; ) {
    const pending = await referrals.pendingOf(workspaceId, asked, session);
    if (pending) return pending;
    const now = await people.currentOf(workspaceId, clientId, session);
    if (now === asked) return null;
    asked = now;
  }
}
