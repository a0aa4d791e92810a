import { authKeys, type CachedMobilePrincipal, readAuth } from '@laurel/auth-cache';
import type { Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import type { Response } from 'express';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { isUuid } from '../schema/types';
import { addressKey } from './address';
import type { Caller } from './caller';
import type { RateLimits } from './rate-limit';
import type { ReadClaims } from './verified-tokens';
import type { WrongCredentials } from './wrong-credentials';

interface Dependencies {
  rpc: Pick<RpcClients, 'identity'>;
  redis: Redis;
  limits: RateLimits;
  credentials: WrongCredentials;
  readClaims: ReadClaims;
}

/** Who calls with the token of the staff app: only for its own workspace, and while the app is on there. */
export function createMobileAccess(dependencies: Dependencies) {
  const { rpc, redis, limits, credentials, readClaims } = dependencies;

  return async function byMobileToken(
    stack: Stack,
    token: string,
    response: Response,
  ): Promise<Caller> {
    const { req: request } = response;
    const claims = await readClaims('mobile_access', token, response);
    const key = authKeys.mobile(claims.sid!);
    const [, [cached]] = await Promise.all([
      limits.consume('TOKEN', key, response),
      readAuth<CachedMobilePrincipal>(redis, [key]),
    ]);
    const ip = addressKey(request.ip);
    const presented = { ip, credential: key, response, isSigned: true };
    const principal =
      cached ??
      (await credentials.prove(presented, () =>
        rpc.identity.ResolveMobileSession({
          session_id: claims.sid!,
          ...(claims.ws === undefined ? {} : { workspace_id: claims.ws }),
        }),
      ));
    // What is no id at all is refused by its form, as of any other caller.
    const named = String(request.params.workspaceId ?? '').toLowerCase();
    if (isUuid(named) && named !== principal.workspace_id) {
      throw platform.forbidden({ message: 'the session belongs to another workspace' });
    }
    const isServed = principal.app_enabled || (stack.name === 'mobile' && stack.evenWhenDisabled);
    if (!isServed) throw platform.invalidToken({ message: 'the app is switched off' });
    if (!principal.role_allowed)
      throw platform.forbidden({ message: 'your role may not use the app' });
    return mobileCaller(principal, key);
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
