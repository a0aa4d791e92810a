import {
  authKeys,
  type CachedMembership,
  type CachedMobilePrincipal,
  type CachedPrincipal,
  digestToken,
  readAuth,
  type Tokens,
  type TokenType,
} from '@laurel/auth-cache';
import type { Redis } from '@laurel/backend';
import { platform, Refusal } from '@laurel/errors';
import type { Request, Response } from 'express';
import type { Stack, TokenScope } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { addressKey } from './address';
import { anonymous, type Caller, type Membership, type TokenGrant } from './caller';
import { requireOwnPage } from './own-page';
import { createPortalAccess } from './portal-access';
import type { RateLimits } from './rate-limit';
import { requireBoundTo } from './token-scope';
import { createVerifier } from './verified-tokens';
import type { WrongCredentials } from './wrong-credentials';

const API_TOKEN = /^(laurel_)?[0-9a-f]{64}$/i;
const NAMED_TOKEN = /^laurel_/i;
const BEARER = /^Bearer +(\S+)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Parts {
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
}

export interface Authenticate {
  /** Who is calling, by the carrier that the stack takes; counts the call against the credential's limit. */
  caller(stack: Stack, request: Request, response: Response): Promise<Caller>;
  /** Admits the caller to the workspace of the request and returns its id; empty when none is involved. */
  admit(stack: Stack, caller: Caller, parts: Parts): Promise<string>;
}

interface Dependencies {
  rpc: RpcClients;
  redis: Redis;
  tokens: Tokens;
  limits: RateLimits;
  credentials: WrongCredentials;
  /** Where the pages of the platform are. */
  publicUrl: string;
}

type MemberStack = Extract<Stack, { name: 'member' }>;

/**
 * Tokens and the workspace guard. What a credential is worth is read from the cache that identity
 * fills and empties; where the cache does not know, identity is asked. So a revocation counts on the
 * next request, on every gateway (docs/adr/0005).
 */
export function createAuthenticate({
  rpc,
  redis,
  tokens,
  limits,
  credentials,
  publicUrl,
}: Dependencies): Authenticate {
  const verify = createVerifier(tokens);
  const byClientToken = createPortalAccess({ rpc, redis, limits, credentials, verify });

  async function bearer(stack: MemberStack, request: Request, response: Response): Promise<Caller> {
    const header = request.get('authorization');
    if (header === undefined) throw platform.forbidden({ message: 'a bearer token is required' });
    const token = BEARER.exec(header)?.[1];
    if (token === undefined)
      throw await credentials.counted(platform.invalidToken(), addressKey(request.ip), response);
    const workspaceId =
      stack.scope.from === 'path' ? String(request.params.workspaceId).toLowerCase() : '';
    return API_TOKEN.test(token)
      ? byApiToken(token.toLowerCase(), workspaceId, request, response)
      : bySession(token, workspaceId, request, response);
  }

  async function byApiToken(
    token: string,
    workspaceId: string,
    request: Request,
    response: Response,
  ): Promise<Caller> {
    const digest = digestToken(token);
    const key = authKeys.token(digest);
    const isNamed = NAMED_TOKEN.test(token);
    const resolve = isNamed ? rpc.identity.ResolveNamedToken : rpc.identity.ResolveApiToken;
    // A token has a limit of its own once it is known to be one: of wrong ones there are any number.
    const isKnown = credentials.knows(key);
    const [, [cached]] = await Promise.all([
      isKnown ? limits.consume('TOKEN', key, response) : undefined,
      readAuth<CachedPrincipal>(redis, [key]),
    ]);
    const presented = { ip: addressKey(request.ip), credential: key, response };
    const principal =
      cached ?? (await credentials.prove(presented, () => resolve({ token_sha256: digest })));
    if (!isKnown) {
      credentials.remember(key);
      await limits.consume('TOKEN', key, response);
    }
    const caller = callerOf(principal, 'token', key);
    if (isNamed) caller.grant = grantOf(principal);
    if (UUID.test(workspaceId)) caller.membership = await membership(workspaceId, caller);
    return caller;
  }

  async function bySession(
    token: string,
    workspaceId: string,
    request: Request,
    response: Response,
  ): Promise<Caller> {
    const claims = await claimsOf('session_access', token, request, response);
    const sessionKey = authKeys.session(claims.sid!);
    const isScoped = UUID.test(workspaceId);
    const keys = isScoped ? [sessionKey, authKeys.member(workspaceId, claims.sub)] : [sessionKey];
    const [, cached] = await Promise.all([
      limits.consume('TOKEN', sessionKey, response),
      readAuth<unknown>(redis, keys),
    ]);
    const presented = { ip: addressKey(request.ip), credential: sessionKey, response };
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
  }

  async function claimsOf(type: TokenType, token: string, request: Request, response: Response) {
    try {
      return verify(type, token);
    } catch (error) {
      throw await credentials.counted(error, addressKey(request.ip), response);
    }
  }

  async function byMobileToken(
    stack: Stack,
    token: string,
    request: Request,
    response: Response,
  ): Promise<Caller> {
    const claims = await claimsOf('mobile_access', token, request, response);
    const key = authKeys.mobile(claims.sid!);
    const [, [cached]] = await Promise.all([
      limits.consume('TOKEN', key, response),
      readAuth<CachedMobilePrincipal>(redis, [key]),
    ]);
    const presented = { ip: addressKey(request.ip), credential: key, response };
    const principal =
      cached ??
      (await credentials.prove(presented, () =>
        rpc.identity.ResolveMobileSession({ session_id: claims.sid! }),
      ));
    const pathWorkspace = request.params.workspaceId;
    if (
      pathWorkspace !== undefined &&
      String(pathWorkspace).toLowerCase() !== principal.workspace_id
    ) {
      throw platform.forbidden({ message: 'the session belongs to another workspace' });
    }
    const isServed = principal.app_enabled || (stack.name === 'mobile' && stack.evenWhenDisabled);
    if (!isServed) throw platform.invalidToken({ message: 'the app is switched off' });
    if (!principal.role_allowed)
      throw platform.forbidden({ message: 'your role may not use the app' });
    return mobileCaller(principal, key);
  }

  async function membership(workspaceId: string, caller: Caller): Promise<Membership> {
    requireBoundTo(caller, workspaceId);
    const userId = caller.userId!;
    const [cached] = await readAuth<CachedMembership>(redis, [
      authKeys.member(workspaceId, userId),
    ]);
    return membershipOf(
      cached ??
        (await rpc.identity.ResolveMembership({ workspace_id: workspaceId, user_id: userId })),
    );
  }

  async function rowWorkspace(find: () => Promise<string>, caller: Caller): Promise<string> {
    try {
      const workspaceId = await find();
      if (workspaceId !== '') caller.membership = await membership(workspaceId, caller);
      return workspaceId;
    } catch (error) {
      // A stranger must not learn that the row exists (part 3, section 1.1): both cases answer alike, to the letter.
      if (error instanceof Refusal && [403, 404].includes(error.httpStatus))
        throw platform.recordNotFound();
      throw error;
    }
  }

  return {
    async caller(stack, request, response) {
      const mobileToken = request.get('x-mobile-token');
      if (stack.name === 'member' && stack.mobileMayRead && mobileToken !== undefined) {
        return byMobileToken(stack, mobileToken, request, response);
      }
      if (stack.name === 'member') return bearer(stack, request, response);
      if (stack.name === 'mobile') {
        if (mobileToken === undefined)
          throw platform.forbidden({ message: 'a mobile token is required' });
        return byMobileToken(stack, mobileToken, request, response);
      }
      if (stack.name === 'portal') return byClientToken(stack, request, response);
      if (stack.name === 'page') requireOwnPage(request, publicUrl);
      return anonymous(addressKey(request.ip));
    },

    async admit(stack, caller, { params, query, body }) {
      if (caller.type === 'mobile' || caller.type === 'client')
        return caller.membership!.workspaceId;
      if (stack.name !== 'member' || stack.scope.from === 'none') return '';
      const { scope } = stack;
      let workspaceId: string;
      if (scope.from === 'path') workspaceId = params.workspaceId!;
      else if (scope.from === 'row')
        workspaceId = await rowWorkspace(() => scope.find(rpc, params, body), caller);
      else {
        const named = (
          (scope.from === 'body' ? body : query) as Record<string, unknown> | undefined
        )?.[scope.field];
        // What is no UUID is refused by the form check that follows.
        if (typeof named !== 'string' || !UUID.test(named)) return '';
        workspaceId = named.toLowerCase();
        caller.membership = await membership(workspaceId, caller);
      }
      if (stack.permission !== null && !caller.membership!.permissions.includes(stack.permission)) {
        throw platform.forbidden({ message: `this needs the permission ${stack.permission}` });
      }
      return workspaceId;
    },
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

/** Never more than was granted: a named token without a grant is worth nothing, nor is one that has ended since it was looked up. */
function grantOf({ grant }: CachedPrincipal): TokenGrant {
  if (!grant) throw platform.invalidToken();
  if (grant.expires_at !== undefined && Date.parse(grant.expires_at) <= Date.now())
    throw platform.tokenExpired({ message: 'this token has ended: make a new one' });
  return { scope: grant.scope as TokenScope, workspaceId: grant.workspace_id ?? null };
}

function membershipOf(cached: CachedMembership): Membership {
  return {
    workspaceId: cached.workspace_id,
    userId: cached.user_id,
    role: cached.role,
    roleId: cached.role_id,
    permissions: cached.permissions,
    isCreator: cached.is_creator,
    ...(cached.sandbox_ahead_ms === undefined ? {} : { sandboxAheadMs: cached.sandbox_ahead_ms }),
  };
}

function mobileCaller(principal: CachedMobilePrincipal, limitKey: string): Caller {
  return {
    type: 'mobile',
    userId: principal.mobile_user_id,
    email: principal.email ?? null,
    sessionId: principal.session_id,
    limitKey,
    membership: {
      workspaceId: principal.workspace_id,
      userId: principal.linked_user_id ?? principal.mobile_user_id,
      role: principal.role,
      roleId: principal.role_id,
      permissions: [],
      isCreator: false,
    },
  };
}
