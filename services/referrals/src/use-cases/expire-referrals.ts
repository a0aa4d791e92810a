import type { CloseDeps } from './close-pending';
import { closeSome } from './close-pending';

/** Expires what is due, whatever the program's state; repeatable on any number of replicas. */
export async function expireReferrals(deps: CloseDeps): Promise<{ more: boolean }> {
  return closeSome(deps, { dueUntil: deps.clock.now() }, 'expired');
}
