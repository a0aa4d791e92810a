import { authKeys } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

export async function revokeMobileSession(
  { cache, mobileSessions, clock }: Deps,
  { workspace_id, mobile_user_id, session_id }: identity.MobileSessionRequest,
): Promise<Record<string, never>> {
  const row = await mobileSessions.find(workspace_id, mobile_user_id, session_id);
  if (!row) throw refusals.mobileSessionNotFound();
  await cache.revoke([authKeys.mobile(session_id)], () =>
    mobileSessions.revoke(workspace_id, session_id, clock.now()),
  );
  return {};
}
