import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/** A client that is gone is in no audience to come; what was said about it in others is dropped. */
export async function forgetClient(
  { audience, campaigns }: Pick<Deps, 'audience' | 'campaigns'>,
  workspaceId: string,
  clientId: string,
  session: Session,
): Promise<void> {
  await audience.scrubClient(workspaceId, clientId, session);
  await campaigns.replaceClient(workspaceId, clientId, null, session);
}
