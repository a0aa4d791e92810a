import { digestToken } from '@laurel/auth-cache';
import { newId } from '@laurel/lifecycle';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { CODE_LIFE_MS, digestCode, isSameDigest } from '../domain/one-time-code';
import { newRefreshToken } from '../domain/refresh-token';
import { refusals } from '../refusals';
import type { MobileUserRow } from '../store/mobile-users';
import { mobileExpiry, mobilePageSessionOf, mobileTokensOf } from './mobile-tokens';
import { appStanding } from './resolve-mobile-session';

/**
 * Signs a device in with a code. Unknown identifiers and wrong, used or dead codes are answered
 * alike; an identifier known in several workspaces is settled by the code.
 */
export function pairMobile(
  deps: Deps,
  request: identity.PairMobileRequest,
): Promise<identity.MobileTokens> {
  return signIn(deps, request, false);
}

/** The same for the till page, which keeps the refresh token in a cookie. */
export async function pairMobilePage(
  deps: Deps,
  request: identity.PairMobileRequest,
): Promise<identity.MobilePageSession> {
  return mobilePageSessionOf(deps, await signIn(deps, request, true));
}

async function signIn(
  deps: Deps,
  request: identity.PairMobileRequest,
  isPage: boolean,
): Promise<identity.MobileTokens> {
  // Ten tries a minute and address (part 3, section 2.1), also of those that come at once.
  const wasNoFailure = await deps.pairFailures.take(`ip:${request.ip}`);
  let tokens: identity.MobileTokens | null;
  try {
    tokens = await opened(deps, request, isPage);
  } catch (fault) {
    await wasNoFailure();
    throw fault;
  }
  if (!tokens) throw refusals.wrongPairing();
  await wasNoFailure();
  return tokens;
}

async function opened(
  deps: Deps,
  request: identity.PairMobileRequest,
  isPage: boolean,
): Promise<identity.MobileTokens | null> {
  const match = await findMatch(deps, request);
  if (!match) return null;
  const tokens = await unitOfWork(deps.connection, (session) =>
    pair(deps, { match, request, isPage }, session),
  );
  // Wrong tries are counted (part 3, section 2.1): this was none, though its user may not use the app now.
  if (!tokens) await deps.pairingCodes.giveTryBack(match.user.workspace_id, match.codeId);
  return tokens;
}

interface Match {
  user: MobileUserRow;
  codeId: string;
}

interface Pairing {
  match: Match;
  request: identity.PairMobileRequest;
  isPage: boolean;
}

/** Compares the code with that of each app user the identifier may mean; every comparison costs a try, that of a match too. */
async function findMatch(
  { mobileUsers, pairingCodes, config, clock }: Deps,
  { identifier, code }: identity.PairMobileRequest,
): Promise<Match | null> {
  let match: Match | null = null;
  const now = clock.now();
  const codeSince = new Date(now.getTime() - CODE_LIFE_MS);
  for (const user of await mobileUsers.findByIdentifier(identifier.trim(), codeSince)) {
    const candidate = await pairingCodes.takeTry(user.workspace_id, user._id, now);
    if (!candidate) continue;
    const digest = digestCode(config.jwtSecret, `pairing:${user._id}`, code);
    if (isSameDigest(candidate.code_digest, digest)) match ??= { user, codeId: candidate._id };
  }
  return match;
}

/** Opens the session; null when the code was used meanwhile, or its user may not use the app: then the code stays. */
async function pair(
  deps: Deps,
  { match, request, isPage }: Pairing,
  session: Session,
): Promise<identity.MobileTokens | null> {
  const { workspace_id, _id: userId } = match.user;
  const { pairingCodes, mobileUsers, mobileSessions, mobileRefreshTokens, workspaces, clock } =
    deps;
  const user = await mobileUsers.find(workspace_id, userId, session);
  const workspace = await workspaces.find(workspace_id, session);
  if (!user || !workspace || (await appStanding(deps, user)) !== 'good') return null;
  if (!(await pairingCodes.use(workspace_id, match.codeId, session))) return null;
  const now = clock.now();
  const status = user.status === 'pending' ? 'paired' : user.status;
  const paired = await mobileUsers.notePairing(workspace_id, user, { status, now, session });
  const sessionId = newId();
  const refreshToken = newRefreshToken();
  const expiresAt = mobileExpiry(deps, now);
  await mobileSessions.insert(
    {
      _id: sessionId,
      workspace_id,
      mobile_user_id: userId,
      device_name: request.device_name ?? null,
      device_os: request.device_os ?? null,
      created_at: now,
      last_active_at: now,
      expires_at: expiresAt,
      ...(isPage ? { of_page: true } : {}),
    },
    session,
  );
  await mobileRefreshTokens.insert(
    { _id: digestToken(refreshToken), session_id: sessionId, expires_at: expiresAt },
    session,
  );
  return mobileTokensOf(deps, { user: paired, workspace, sessionId, refreshToken });
}
