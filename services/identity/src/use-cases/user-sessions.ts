import { authKeys } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { SessionRow } from '../store/sessions';
import { endSessions } from './end-sessions';

/** The sessions of a user that are still good, last used first. */
export async function listUserSessions(
  { sessions, clock }: Pick<Deps, 'sessions' | 'clock'>,
  { user_id }: identity.UserRequest,
): Promise<identity.UserSessionList> {
  const live = await sessions.listLive(user_id, clock.now());
  const byUse = live.sort((a, b) => lastUse(b).getTime() - lastUse(a).getTime());
  return {
    sessions: byUse.map((row) => ({
      id: row._id,
      device: row.device ?? null,
      of_page: row.of_page ?? false,
      date_created: row.created_at.toISOString(),
      last_active_at: lastUse(row).toISOString(),
      expires_at: row.expires_at.toISOString(),
    })),
  };
}

/** Ends one session, its access tokens included; somebody else's is not found. */
export async function endUserSession(
  { cache, sessions, clock }: Pick<Deps, 'cache' | 'sessions' | 'clock'>,
  { user_id, session_id }: identity.UserSessionRequest,
): Promise<Record<string, never>> {
  const isEnded = await cache.revoke([authKeys.session(session_id)], () =>
    sessions.revokeOf(user_id, session_id, clock.now()),
  );
  if (!isEnded) throw platform.recordNotFound();
  return {};
}

/** Signs a user out everywhere but where the call came from. */
export async function endUserSessions(
  deps: Deps,
  { user_id, keep_session_id }: identity.EndUserSessionsRequest,
): Promise<identity.EndedUserSessions> {
  return endSessions(deps, user_id, async (session) => {
    const now = deps.clock.now();
    const ended = await deps.sessions.revokeAll(user_id, { except: keep_session_id, now, session });
    return { result: { ended: ended.length }, ended };
  });
}

const lastUse = ({ last_active_at, created_at }: SessionRow): Date => last_active_at ?? created_at;
