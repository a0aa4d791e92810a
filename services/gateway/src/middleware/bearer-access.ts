import {
  authKeys,
  type CachedMembership,
  type CachedPrincipal,
  digestToken,
  readAuth,
} from '@laurel/auth-cache';
import type { Redis } from '@laurel/backend';
import type { TokenScope } from '@laurel/contract';
import { platform } from '@laurel/errors';
import type { Request, Response } from 'express';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { isUuid } from '../schema/types';
import { addressKey } from './address';
import type { Caller, TokenGrant } from './caller';
import { membershipOf, type ReadMembership } from './memberships';
import type { RateLimits } from './rate-limit';
import { cameAtOf, type ReadClaims } from './verified-tokens';
import type { WrongCredentials } from './wrong-credentials';

const API_TOKEN = /^(laurel_)?[0-9a-f]{64}$/i;
const NAMED_TOKEN = /^laurel_/i;
const BEARER = /^Bearer +(\S+)$/i;

interface Dependencies {
  rpc: Pick<RpcClients, 'identity'>;
  redis: Redis;
  limits: RateLimits;
  credentials: WrongCredentials;
  readClaims: ReadClaims;
  membership: ReadMembership;
}

type MemberStack = Extract<Stack, { name: 'member' }>;

/** The bearer token of a request, in one spelling whichever it came in; undefined where there is none. */
export function bearerIn(request: Request): string | undefined {
  const token = BEARER.exec(request.get('authorization') ?? '')?.[1];
  return token !== undefined && API_TOKEN.test(token) ? token.toLowerCase() : token;
}

/** Who calls with a bearer token: a session's, or an API token. */
export function createBearerAccess(dependencies: Dependencies) {
  const { credentials } = dependencies;
  const byApiToken = createApiTokenAccess(dependencies);
  const bySession = createSessionAccess(dependencies);

  return async function byBearer(
    stack: MemberStack,
    request: Request,
    response: Response,
  ): Promise<Caller> {
    if (request.get('authorization') === undefined)
      throw platform.forbidden({ message: 'a bearer token is required' });
    const token = bearerIn(request);
    if (token === undefined)
      throw await credentials.counted(platform.invalidToken(), addressKey(request.ip), response);
    const workspaceId =
      stack.scope.from === 'path' ? String(request.params.workspaceId).toLowerCase() : '';
    return API_TOKEN.test(token)
      ? byApiToken(token, workspaceId, response)
      : bySession(token, workspaceId, response);
  };
}

function createApiTokenAccess({ rpc, redis, limits, credentials, membership }: Dependencies) {
  return async function byApiToken(
    token: string,
    workspaceId: string,
    response: Response,
  ): Promise<Caller> {
    const digest = digestToken(token);
    const key = authKeys.token(digest);
    const isNamed = NAMED_TOKEN.test(token);
    const resolve = () => {
      const asked = { token_sha256: digest };
      return isNamed
        ? rpc.identity.ResolveNamedToken({ ...asked, ...comingOf(response) })
        : rpc.identity.ResolveApiToken(asked);
    };
    // A token has a limit of its own once it is known to be one: of wrong ones there are any number.
    const isKnown = credentials.knows(key);
    const [, [cached]] = await Promise.all([
      isKnown ? limits.consume('TOKEN', key, response) : undefined,
      readAuth<CachedPrincipal>(redis, [key]),
    ]);
    const presented = { ip: addressKey(response.req.ip), credential: key, response };
    const principal = cached ?? (await credentials.prove(presented, resolve));
    if (!isKnown) {
      credentials.remember(key);
      await limits.consume('TOKEN', key, response);
    }
    const caller: Caller = { ...callerOf(principal, 'token', key), tokenSha256: digest };
    if (isNamed) caller.grant = grantOf(principal, cameAtOf(response));
    if (isUuid(workspaceId)) caller.membership = await membership(workspaceId, caller);
    return caller;
  };
}

function createSessionAccess(dependencies: Dependencies) {
  const { rpc, redis, limits, credentials, readClaims, membership } = dependencies;

  return async function bySession(
    token: string,
    workspaceId: string,
    response: Response,
  ): Promise<Caller> {
    const claims = await readClaims('session_access', token, response);
    const sessionKey = authKeys.session(claims.sid!);
    const isScoped = isUuid(workspaceId);
    const keys = isScoped ? [sessionKey, authKeys.member(workspaceId, claims.sub)] : [sessionKey];
    const [, cached] = await Promise.all([
      limits.consume('TOKEN', sessionKey, response),
      readAuth<unknown>(redis, keys),
    ]);
    const ip = addressKey(response.req.ip);
    const presented = { ip, credential: sessionKey, response, isSigned: true };
    const principal =
      (cached[0] as CachedPrincipal | null) ??
      (await credentials.prove(presented, () =>
        rpc.identity.ResolveSession({ session_id: claims.sid! }),
      ));
    const caller = callerOf(principal, 'user', sessionKey);
    if (isScoped) {
      const known = cached[1] as CachedMembership | null | undefined;
      caller.membership = known ? membershipOf(known) : await membership(workspaceId, caller);
    }
    return caller;
  };
}

function callerOf(principal: CachedPrincipal, type: 'user' | 'token', limitKey: string): Caller {
  return {
    type,
    userId: principal.user_id,
    email: principal.email,
    sessionId: principal.session_id ?? null,
    limitKey,
    membership: null,
  };
}

function comingOf(response: Response): { came_at?: string } {
  const cameAt = cameAtOf(response);
  return cameAt === undefined ? {} : { came_at: new Date(cameAt).toISOString() };
}

/**
 * Never more than was granted: a named token without a grant is worth nothing, nor is one that had ended when its request came,
 * whatever was so when it was looked up.
 */
function grantOf({ grant }: CachedPrincipal, at = Date.now()): TokenGrant {
  if (!grant) throw platform.invalidToken();
  if (grant.expires_at !== undefined && Date.parse(grant.expires_at) <= at)
    throw platform.tokenExpired({ message: 'this token has ended: make a new one' });
  return { scope: grant.scope as TokenScope, workspaceId: grant.workspace_id ?? null };
}
