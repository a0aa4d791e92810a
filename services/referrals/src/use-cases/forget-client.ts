import type { Erasure, Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/**
 * Erases who a client was. An anonymized one stays on its referrals; a deleted one's referrals stay
 * without it, and its codes have no owner.
 */
export async function forgetClient(
  { people, codes, referrals }: Pick<Deps, 'people' | 'codes' | 'referrals'>,
  { workspaceId, clientId: id, ending }: Erasure,
  session: Session,
): Promise<void> {
  const { ended } = await people.touch(workspaceId, { id }, session);
  if (ended === 'deleted' || ended === 'merged') return;
  await people.end(workspaceId, { id, ending }, session);
  if (ending === 'anonymized') return;
  await codes.removeClient(workspaceId, id, session);
  await referrals.forgetClient(workspaceId, id, session);
}
