import { authKeys, type CachedMembership, readAuth } from '@laurel/auth-cache';
import type { Redis } from '@laurel/backend';
import type { RpcClients } from '../rpc-clients';
import type { Caller, Membership } from './caller';
import { requireBoundTo } from './token-scope';

export type ReadMembership = (workspaceId: string, caller: Caller) => Promise<Membership>;

interface Dependencies {
  rpc: Pick<RpcClients, 'identity'>;
  redis: Redis;
}

/** What a caller is in a workspace; refused where they are nothing there, or came with a token of another one. */
export function createMemberships({ rpc, redis }: Dependencies): ReadMembership {
  return async (workspaceId, caller) => {
    requireBoundTo(caller, workspaceId);
    const userId = caller.userId!;
    const [cached] = await readAuth<CachedMembership>(redis, [
      authKeys.member(workspaceId, userId),
    ]);
    return membershipOf(
      cached ??
        (await rpc.identity.ResolveMembership({ workspace_id: workspaceId, user_id: userId })),
    );
  };
}

export function membershipOf(cached: CachedMembership): Membership {
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
