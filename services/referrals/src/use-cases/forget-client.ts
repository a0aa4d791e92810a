import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/**
 * Erases who a client was. An anonymized one stays on its referrals; a deleted one's referrals stay
 * without it, and its codes are nobody's.
 */
export async function forgetClient(
  { people, codes, referrals }: Pick<Deps, 'people' | 'codes' | 'referrals'>,
  workspaceId: string,
  { clientId, ending }: { clientId: string; ending: 'anonymized' | 'deleted' },
  session: Session,
): Promise<void> {
  const { ended } = await people.touch(workspaceId, clientId, session);
  if (ended === 'deleted' || ended === 'merged') return;
  await people.end(workspaceId, clientId, { ending }, session);
  if (ending === 'anonymized') return;
  await codes.removeClient(workspaceId, clientId, session);
  await referrals.forgetClient(workspaceId, clientId, session);
}
