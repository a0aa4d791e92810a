import type { ClaimedEvent } from './source';

/**
 * Of what waits in memory all that has to leave before something that was found in the store: an earlier event of
 * the same subject. What another process wrote after it was visible there, so that all that either follows is in `found`,
 * or in memory and goes along; `found` is sorted, the oldest first.
 */
export function aheadOf<Waits extends ClaimedEvent>(
  found: readonly ClaimedEvent[],
  waiting: readonly Waits[],
): Waits[] {
  const lastOf = new Map(found.map(({ key, event }) => [subjectOf(event), key]));
  return waiting.filter(({ key, event }) => key < (lastOf.get(subjectOf(event)) ?? ''));
}

const subjectOf = ({ workspaceid, subject }: ClaimedEvent['event']): string =>
  `${workspaceid} ${subject}`;
