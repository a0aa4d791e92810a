import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/** Whether a user has any token: the API token or a named one. */
export async function hasTokens(
  { apiTokens, namedTokens }: Pick<Deps, 'apiTokens' | 'namedTokens'>,
  userId: string,
  session: Session,
): Promise<boolean> {
  if (await apiTokens.findOfUser(userId, session)) return true;
  return (await namedTokens.listOfUser(userId, session)).length > 0;
}
