import { authKeys, type CachedPortal, readAuth, type TokenClaims } from '@laurel/auth-cache';
import type { Redis } from '@laurel/backend';
import { platform, Refusal } from '@laurel/errors';
import type { Request, Response } from 'express';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import type { Caller } from './caller';
import type { RateLimits } from './rate-limit';
import type { createVerifier } from './verified-tokens';

interface Dependencies {
  rpc: Pick<RpcClients, 'identity' | 'clients'>;
  redis: Redis;
  limits: RateLimits;
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
 * Who calls with an `x-client-token`. No session stands behind such a token: whether the portal is on is read
 * as in docs/adr/0005, and how the client stands is asked of the clients service each time, so that somebody
 * who was erased is out with the next request, on every gateway.
 */
export function createPortalAccess({ rpc, redis, limits, verify }: Dependencies) {
  async function requirePortal(workspaceId: string): Promise<void> {
    const [cached] = await readAuth<CachedPortal>(redis, [authKeys.portal(workspaceId)]);
    if (!cached) await rpc.identity.ResolvePortal({ workspace_id: workspaceId });
  }

  async function requireActive({ deletedMayCall }: PortalStack, claims: TokenClaims) {
    try {
      const client = { workspace_id: claims.ws!, client_id: claims.sub };
      const { status } = await rpc.clients.GetClientStanding(client);
      if (status !== 'active') throw refusals.invalid();
    } catch (error) {
      if (!(error instanceof Refusal) || error.httpStatus !== 404) throw error;
      if (!deletedMayCall) throw refusals.invalid();
    }
  }

  return async function byClientToken(
    stack: PortalStack,
    request: Request,
    response: Response,
  ): Promise<Caller> {
    const token = request.get('x-client-token');
    if (!token) throw refusals.required();
    const claims = inPortalWords(() => verify('client_access', token));
    const limitKey = `client:${claims.ws}:${claims.sub}`;
    if (stack.limit === null) await limits.consume('TOKEN', limitKey, response);
    // In this order: a workspace that was deleted is 403, though its clients are gone as well.
    await requirePortal(claims.ws!);
    await requireActive(stack, claims);
    return callerOf(claims, limitKey);
  };
}

function inPortalWords(check: () => TokenClaims): TokenClaims {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw error.code === 'TOKEN_EXPIRED' ? refusals.expired() : refusals.invalid();
  }
}

function callerOf({ sub, ws }: TokenClaims, limitKey: string): Caller {
  return {
    type: 'client',
    userId: sub,
    email: null,
    sessionId: null,
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
