import type { Tokens } from '@laurel/auth-cache';
import type { Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import type { Request, Response } from 'express';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { addressKey } from './address';
import { createBearerAccess } from './bearer-access';
import { anonymous, type Caller } from './caller';
import { createMemberships } from './memberships';
import { createMobileAccess } from './mobile-access';
import { requireOwnPage } from './own-page';
import { createPortalAccess } from './portal-access';
import type { RateLimits } from './rate-limit';
import { createUsedKeys } from './used-keys';
import { createClaimsReader, createVerifier } from './verified-tokens';
import { createWorkspaceGuard, type Parts } from './workspace-guard';
import type { WrongCredentials } from './wrong-credentials';

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

/**
 * Tokens and the workspace guard. What a credential is worth is read from the cache that identity
 * fills and empties; where the cache does not know, identity is asked. So a revocation counts on the
 * next request, on every gateway (docs/adr/0005).
 */
export function createAuthenticate(dependencies: Dependencies): Authenticate {
  const { rpc, redis, tokens, credentials, publicUrl } = dependencies;
  const verify = createVerifier(tokens);
  const readClaims = createClaimsReader(verify, credentials);
  const membership = createMemberships({ rpc, redis });
  const byBearer = createBearerAccess({ ...dependencies, readClaims, membership });
  const byMobileToken = createMobileAccess({ ...dependencies, readClaims });
  const byClientToken = createPortalAccess({ ...dependencies, verify });

  return {
    async caller(stack, request, response) {
      const mobileToken = request.get('x-mobile-token');
      if (stack.name === 'member' && stack.mobileMayRead && mobileToken !== undefined) {
        return byMobileToken(stack, mobileToken, response);
      }
      if (stack.name === 'member') return byBearer(stack, request, response);
      if (stack.name === 'mobile') {
        if (mobileToken === undefined)
          throw platform.forbidden({ message: 'a mobile token is required' });
        return byMobileToken(stack, mobileToken, response);
      }
      if (stack.name === 'portal') return byClientToken(stack, request, response);
      if (stack.name === 'page') requireOwnPage(request, publicUrl);
      return anonymous(addressKey(request.ip));
    },

    admit: createWorkspaceGuard({ rpc, membership, workspaceOfKey: createUsedKeys(dependencies) }),
  };
}
