import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { Refusal } from '@laurel/errors';
import type { common, identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
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
  const now = deps.clock.now();
  const found = await deps.downloads.take(digestToken(token), now);
  if (!found) throw refusals.downloadOver();
  const { workspaceId, userId, sessionId, tokenSha256, kind, params } = found;
  const taken: identity.Download = {
    workspace_id: workspaceId,
    user_id: userId,
    kind,
    params,
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(tokenSha256 === null ? {} : { token_sha256: tokenSha256 }),
    taken_at: now.toISOString(),
  };
  await confirmDownload(deps, taken);
  return taken;
}

/**
 * Asked again while a file is written: refuses once its asker is no member any more, or the session or token that they came
 * with was revoked. One that has merely ended since the file was taken was good then.
 */
export async function confirmDownload(deps: Deps, taken: identity.Download): Promise<common.Empty> {
  if (!(await isHeldStill(deps, taken))) throw refusals.downloadOver();
  const { workspace_id, user_id } = taken;
  await resolveMembership(deps, { workspace_id, user_id }).catch((error: unknown) => {
    throw error instanceof Refusal && error.httpStatus === 403 ? refusals.downloadOver() : error;
  });
  return {};
}

async function isHeldStill(
  { sessions, namedTokens, apiTokens, clock }: Deps,
  { session_id, token_sha256, taken_at }: identity.Download,
): Promise<boolean> {
  const at = taken_at === undefined ? clock.now() : new Date(taken_at);
  if (session_id !== undefined) return (await sessions.findLive(session_id, at)) !== null;
  if (token_sha256 === undefined) return true;
  const named = await namedTokens.findByDigest(token_sha256);
  if (named) return named.expires_at === null || named.expires_at > at;
  return (await apiTokens.findByDigest(token_sha256)) !== null;
}
