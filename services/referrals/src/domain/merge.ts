import type { ReferralStatus } from '@laurel/contract';
import type { Referral } from './referral';

/** A referral that one of two merging clients is the referee of, or that stands between them. */
export interface Tie extends Referral {
  /** Whether it is the one that says by whom its referee was brought. */
  attributes: boolean;
}

export interface Merge {
  sourceId: string;
  targetId: string;
}

/** What becomes of one referral; absent fields stay. */
export interface TieChange {
  id: string;
  referrer_client_id?: string | null;
  referee_client_id?: string | null;
  attributes: boolean;
  cancelled: boolean;
}

/** Which of several referrals stays: the lowest. */
const RANKS: Readonly<Record<ReferralStatus, number>> = {
  completed: 0,
  pending: 1,
  expired: 2,
  cancelled: 3,
};

/** Whether a referral still says something about who brought whom. */
export function isActive({ status }: Pick<Referral, 'status'>): boolean {
  return status === 'pending' || status === 'completed';
}

/** The referral that will say by whom the merged client was brought; null when neither was brought by a third. */
export function keptTie(ties: readonly Tie[], merge: Merge): Tie | null {
  const candidates = ties.filter((tie) => tie.attributes && !isBetween(tie, merge));
  const [kept] = candidates.sort(
    (a, b) =>
      RANKS[a.status] - RANKS[b.status] ||
      a.date_created.getTime() - b.date_created.getTime() ||
      (a.id < b.id ? -1 : 1),
  );
  return kept ?? null;
}

/**
 * What a merge does to the referrals that would break a promise: one between the two would be a
 * referral of oneself, a second one of the same referee, and one whose referrer descends from the
 * merged client would close a cycle. Pending ones are cancelled; completed ones stay completed, since
 * their rewards were given, and lose their referee, as if that client had been deleted: the referrer keeps the count.
 */
export function planMerge(ties: readonly Tie[], merge: Merge, closesCycle: boolean): TieChange[] {
  const kept = keptTie(ties, merge);
  return ties.map((tie) => {
    if (isBetween(tie, merge) && tie.status !== 'completed') return withoutSource(tie, merge);
    if (tie !== kept || (closesCycle && isActive(tie))) return withoutReferee(tie, merge);
    return { id: tie.id, referee_client_id: merge.targetId, attributes: true, cancelled: false };
  });
}

function isBetween(tie: Tie, { sourceId, targetId }: Merge): boolean {
  const sides = [tie.referrer_client_id, tie.referee_client_id];
  return sides.includes(sourceId) && sides.includes(targetId);
}

function withoutSource(tie: Tie, { sourceId }: Merge): TieChange {
  const side =
    tie.referrer_client_id === sourceId
      ? { referrer_client_id: null }
      : { referee_client_id: null };
  return { id: tie.id, ...side, attributes: false, cancelled: tie.status === 'pending' };
}

function withoutReferee(tie: Tie, { targetId }: Merge): TieChange {
  const completed = tie.status === 'completed';
  return {
    id: tie.id,
    referee_client_id: completed ? null : targetId,
    attributes: false,
    cancelled: tie.status === 'pending',
  };
}
