import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { Refusal } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { Download } from '../store/downloads';
import { resolveMembership } from './resolve';

const TTL_MS = 60_000;

/** Makes an address under which a file can be fetched once, within a minute (docs/adr/0038). */
export async function openDownload(
  { downloads, clock }: Pick<Deps, 'downloads' | 'clock'>,
  request: identity.OpenDownloadRequest,
): Promise<identity.OpenedDownload> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(clock.now().getTime() + TTL_MS);
  await downloads.insert(request.workspace_id, {
    _id: digestToken(token),
    user_id: request.user_id,
    session_id: request.session_id ?? null,
    token_sha256: request.token_sha256 ?? null,
    kind: request.kind,
    params: JSON.stringify(request.params),
    expires_at,
  });
  return { token, expires_at: expires_at.toISOString() };
}

/**
 * What an address stands for, once. Its asker must be a member still, and the session or token that they came
 * with must not have ended; a wrong, used or late address and one of somebody who was let go are alike.
 */
export async function takeDownload(
  deps: Deps,
  { token }: identity.TakeDownloadRequest,
): Promise<identity.Download> {
  const found = await deps.downloads.take(digestToken(token), deps.clock.now());
  if (!found || !(await isHeldStill(deps, found))) throw refusals.downloadOver();
  const { workspaceId: workspace_id, userId: user_id, kind, params } = found;
  await resolveMembership(deps, { workspace_id, user_id }).catch((error: unknown) => {
    throw error instanceof Refusal && error.httpStatus === 403 ? refusals.downloadOver() : error;
  });
  return { workspace_id, user_id, kind, params };
}

async function isHeldStill(
  { sessions, namedTokens, apiTokens, clock }: Deps,
  { sessionId, tokenSha256 }: Download,
): Promise<boolean> {
  const now = clock.now();
  if (sessionId !== null) return (await sessions.findLive(sessionId, now)) !== null;
  if (tokenSha256 === null) return true;
  const named = await namedTokens.findByDigest(tokenSha256);
  if (named) return named.expires_at === null || named.expires_at > now;
  return (await apiTokens.findByDigest(tokenSha256)) !== null;
}
