import { randomBytes } from 'node:crypto';
import { authKeys, digestToken } from '@laurel/auth-cache';
import type { TokenScope } from '@laurel/contract';
import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { NamedTokenRow } from '../store/named-tokens';
import { requireCredential } from './require-credential';
import { resolveMembership } from './resolve';
import { toNamedTokenReply } from './wire';

/** Looks otherwise than the API token: what does not know of scopes takes it for no token at all. */
const PREFIX = 'laurel_';
/** More than anybody keeps in view. */
const OF_ONE_MAX = 50;

/** The named tokens of a user, newest first; the tokens themselves are never said again. */
export async function listNamedTokens(
  { namedTokens }: Pick<Deps, 'namedTokens'>,
  { user_id }: identity.UserRequest,
): Promise<identity.NamedTokenList> {
  return { tokens: (await namedTokens.listOfUser(user_id)).map(toNamedTokenReply) };
}

/** Makes a token that does what its scope says, and shows it this once (docs/adr/0041). */
export async function createNamedToken(
  deps: Deps,
  { caller, name, scope, workspace_id, expires_at }: identity.CreateNamedTokenRequest,
): Promise<identity.NewNamedToken> {
  const { connection, namedTokens, clock } = deps;
  const { user_id } = caller!;
  if (workspace_id !== undefined) await resolveMembership(deps, { workspace_id, user_id });
  const now = clock.now();
  const expiresAt = expires_at === undefined ? null : new Date(expires_at);
  if (expiresAt && expiresAt <= now) throw refusals.endsBeforeItBegins();
  const token = `${PREFIX}${randomBytes(32).toString('hex')}`;
  const row: NamedTokenRow = {
    _id: newId(),
    user_id,
    name,
    scope: scope as TokenScope,
    bound_to: workspace_id ?? null,
    token_sha256: digestToken(token),
    created_at: now,
    last_used_at: null,
    expires_at: expiresAt,
  };
  await unitOfWork(connection, async (session) => {
    // Held still, so that of several at once none finds the room that is left for another.
    await requireCredential(deps, caller!, session);
    const known = await namedTokens.listOfUser(user_id, session);
    if (known.length >= OF_ONE_MAX) throw refusals.tooManyTokens();
    await namedTokens.insert(row, session);
  });
  return { row: toNamedTokenReply(row), token };
}

/** Ends a named token, from the next request on; somebody else's is not found. */
export async function revokeNamedToken(
  { cache, namedTokens }: Pick<Deps, 'cache' | 'namedTokens'>,
  { user_id, token_id }: identity.NamedTokenRequest,
): Promise<Record<string, never>> {
  const found = await namedTokens.find(user_id, token_id);
  if (!found) throw platform.recordNotFound();
  const isEnded = await cache.revoke([authKeys.token(found.token_sha256)], () =>
    namedTokens.remove(user_id, token_id),
  );
  if (!isEnded) throw platform.recordNotFound();
  return {};
}
