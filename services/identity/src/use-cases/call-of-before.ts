import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import type { UserRow } from '../store/users';

/**
 * Whether a call came with an API token from before the address of the account was proven, which is now, or that an
 * unproven password had led to: its maker need not be who proved it. What is meant for the address is not for that token (docs/adr/0014).
 *
 * @param call its `sessionId` is undefined when it came with the API token
 */
export async function isCallOfBefore(
  { apiTokens }: Pick<Deps, 'apiTokens'>,
  user: UserRow,
  { sessionId, session }: { sessionId: string | undefined; session?: Session },
): Promise<boolean> {
  if (sessionId !== undefined || !isAddressProven(user)) return false;
  const token = await apiTokens.findOfUser(user._id, session);
  return token?.made_unproven === true || token?.suspect === true;
}
