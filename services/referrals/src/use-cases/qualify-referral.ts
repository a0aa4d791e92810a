import type { Once } from '@laurel/events';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { type Deed, qualifies, type Referral } from '../domain/referral';
import { writeCompletion } from './complete-referral';
import { leadsTo } from './leads-to';
import { mergeClients } from './merge-clients';

interface Doer {
  workspaceId: string;
  clientId: string;
  /** Clients that became part of this one, whether that was heard of here or not. */
  merged: readonly string[];
}

interface OpenQuestion {
  workspaceId: string;
  clientId: string;
  recordedAt: Date;
}

/**
 * Completes the referral of a client who did something that counts, once per event: the pending one, or the one that expired
 * while what was recorded before was on its way.
 */
export async function qualifyReferral(
  deps: Deps,
  { deed, ...doer }: Doer & { deed: Deed },
  once: Once,
): Promise<void> {
  const { workspaceId } = doer;
  await catchUpOnMerges(deps, doer);
  const question = { ...doer, recordedAt: deed.recordedAt };
  const open = await openReferralOf(deps, question);
  if (!open) return;
  await deps.inTurn(open.referrer_client_id ?? open.id, () =>
    once(async (session) => {
      // Another one by now where a merge in between has cancelled that.
      const referral = await openReferralOf(deps, question, session);
      const program = await deps.programs.find(workspaceId, session);
      if (!referral || !program || !qualifies(referral, program, deed)) return;
      if (await closesCycle(deps, referral, session)) return;
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
 * The referral of a client, or of whom it has become, that was open when something was recorded. Who that is is asked after
 * the referral, which a merge may move in between: one that was not found has gone to the one who is named then.
 */
async function openReferralOf(
  { people, referrals }: Pick<Deps, 'people' | 'referrals'>,
  { workspaceId, clientId, recordedAt: moment }: OpenQuestion,
  session?: Session,
): Promise<Referral | null> {
  for (let refereeId = clientId; ; ) {
    const open = await referrals.openAt(workspaceId, { refereeId, moment }, session);
    if (open) return open;
    const now = await people.currentOf(workspaceId, clientId, session);
    if (now === refereeId) return null;
    refereeId = now;
  }
}

/** While a referral counted as expired, its referee may have brought somebody on the line of its referrer. */
async function closesCycle(
  deps: Deps,
  { status, workspace_id: workspaceId, referrer_client_id: from, referee_client_id: to }: Referral,
  session: Session,
): Promise<boolean> {
  if (status === 'pending' || to === null) return false;
  return leadsTo(deps, { workspaceId, from, ends: [to] }, session);
}
