import type { ClaimedEvent } from './source';

/**
 * Takes out of what waits in memory all that has to leave before something that was found in the store: an earlier event of
 * the same subject. What another process wrote after it was visible there, so that all that either follows is in `found`,
 * or in memory and goes along; `found` is sorted, the oldest first.
 */
export function takeAhead<Waiting extends ClaimedEvent>(
  waiting: Waiting[],
  found: readonly ClaimedEvent[],
): Waiting[] {
  const lastOf = new Map(found.map(({ key, event }) => [subjectOf(event), key]));
  const ahead = waiting.filter(({ key, event }) => key < (lastOf.get(subjectOf(event)) ?? ''));
  if (ahead.length === 0) return ahead;
  const taken = new Set(ahead);
  waiting.splice(0, waiting.length, ...waiting.filter((one) => !taken.has(one)));
  return ahead;
}

const subjectOf = ({ workspaceid, subject }: ClaimedEvent['event']): string =>
  `${workspaceid} ${subject}`;
