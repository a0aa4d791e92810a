import {
  authKeys,
  type CachedPortal,
  portalSessionId,
  readAuth,
  requireProven,
  requireSince,
  type TokenClaims,
} from '@laurel/auth-cache';
import type { Redis } from '@laurel/backend';
import { platform, Refusal } from '@laurel/errors';
import type { Request, Response } from 'express';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { addressKey } from './address';
import type { Caller } from './caller';
import type { RateLimits } from './rate-limit';
import { cameAtOf, type createVerifier } from './verified-tokens';
import type { WrongCredentials } from './wrong-credentials';

interface Dependencies {
  rpc: Pick<RpcClients, 'identity' | 'clients'>;
  redis: Redis;
  limits: RateLimits;
  credentials: WrongCredentials;
  verify: ReturnType<typeof createVerifier>;
}

type PortalStack = Extract<Stack, { name: 'portal' }>;

/** The three words of the portal (part 1, Errors; part 3, section 1.1). */
const refusals = {
  required: () => platform.invalidToken({ message: 'token required' }),
  invalid: () => platform.invalidToken({ message: 'invalid token' }),
  expired: () => platform.tokenExpired({ message: 'token expired' }),
};

/**
 * Who calls with an `x-client-token`. Whether the portal is on, and whether the session was ended, is read as in
 * docs/adr/0005; how the client stands is asked of the clients service each time, so that somebody
 * who was erased is out with the next request, on every gateway.
 */
export function createPortalAccess({ rpc, redis, limits, credentials, verify }: Dependencies) {
  /** The portal is on, and the session neither ended by its client nor together with all others. */
  async function requireSession(claims: TokenClaims): Promise<void> {
    const workspaceId = claims.ws!;
    const sessionId = portalSessionId(claims);
    const [portal, session] = await readAuth<CachedPortal>(redis, [
      authKeys.portal(workspaceId),
      authKeys.portalSession(workspaceId, sessionId),
    ]);
    const open = portal ?? (await rpc.identity.ResolvePortal({ workspace_id: workspaceId }));
    requireSince(claims, open.sessions_since ?? 0);
    const named = { workspace_id: workspaceId, session_id: sessionId };
    if (!session) await rpc.identity.ResolvePortalSession(named);
  }

  async function requireActive({ deletedMayCall }: PortalStack, claims: TokenClaims) {
    try {
      const client = { workspace_id: claims.ws!, client_id: claims.sub };
      const { status, sessions_since } = await rpc.clients.GetClientStanding(client);
      if (status !== 'active') throw refusals.invalid();
      requireProven(claims, sessions_since);
    } catch (error) {
      if (!(error instanceof Refusal) || error.httpStatus !== 404) throw error;
      if (!deletedMayCall) throw refusals.invalid();
    }
  }

  async function claimsOf(token: string, request: Request, response: Response) {
    try {
      return await inPortalWords(async () => verify('client_access', token, cameAtOf(response)));
    } catch (error) {
      throw await credentials.counted(error, addressKey(request.ip), response);
    }
  }

  return async function byClientToken(
    stack: PortalStack,
    request: Request,
    response: Response,
  ): Promise<Caller> {
    const token = request.get('x-client-token');
    if (!token) throw refusals.required();
    const claims = await claimsOf(token, request, response);
    const limitKey = `client:${claims.ws}:${claims.sub}`;
    if (stack.limit === null) await limits.consume('TOKEN', limitKey, response);
    // In this order: a workspace that was deleted is 403, though its clients are gone as well.
    await inPortalWords(() => requireSession(claims));
    await inPortalWords(() => requireActive(stack, claims));
    return callerOf(claims, limitKey);
  };
}

async function inPortalWords<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'TOKEN_EXPIRED') throw refusals.expired();
    throw error.code === 'INVALID_TOKEN' ? refusals.invalid() : error;
  }
}

function callerOf(claims: TokenClaims, limitKey: string): Caller {
  const { sub, ws } = claims;
  return {
    type: 'client',
    userId: sub,
    email: null,
    sessionId: portalSessionId(claims),
    limitKey,
    membership: {
      workspaceId: ws!,
      userId: sub,
      role: 'client',
      roleId: null,
      permissions: [],
      isCreator: false,
    },
  };
}
