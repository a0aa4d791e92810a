import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { decidedOn, introductionFor } from './assign-tier';
import { settled } from './settle-member';
import { toStandingReply } from './wire';

/** Where a client would stand once a tier was assigned; refused as assigning it would be. */
export async function quoteAssignment(
  deps: Pick<Deps, 'tierSets' | 'tiers' | 'members' | 'clients' | 'clock'>,
  request: api.AssignTierRequest,
): Promise<api.Standing> {
  const introduceTo = await introductionFor(deps, request);
  const { member, now, ...occasion } = await decidedOn(deps, request, { introduceTo });
  return toStandingReply(settled(member, occasion, now).member);
}
