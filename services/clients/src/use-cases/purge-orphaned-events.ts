import type { Deps } from '../deps';

const DAY_MS = 86_400_000;
const BATCH = 2_000;

/** Deletes a batch of events whose client has been gone for `days`; says whether more are due. */
export async function purgeOrphanedEvents(
  { events, clock }: Pick<Deps, 'events' | 'clock'>,
  days: number,
): Promise<{ more: boolean }> {
  const before = new Date(clock.now().getTime() - days * DAY_MS);
  return { more: (await events.purgeOrphaned(before, BATCH)) === BATCH };
}
