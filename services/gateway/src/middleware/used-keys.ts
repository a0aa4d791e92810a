import type { Redis } from '@laurel/backend';
import { mapAtOnce, mayFail } from '@laurel/lifecycle';
import type { RpcClients } from '../rpc-clients';
import type { Caller } from './caller';
import { keyScope, nameOf } from './idempotency';

/** An Idempotency-Key, and the path that it came to. */
export interface UsedKey {
  path: string;
  key: string;
}

/** In which of the caller's workspaces a key was used; null where in none, or where that is not known any more. */
export type WorkspaceOfKey = (caller: Caller, used: UsedKey) => Promise<string | null>;

interface Dependencies {
  rpc: Pick<RpcClients, 'identity'>;
  redis: Pick<Redis, 'exists'>;
}

const AT_ONCE = 10;

/**
 * A row says of which workspace a request is, and may be gone by that very request: a repeat of it is answered as the first
 * time all the same (part 3, section 1.3), for what is kept of its key says whose it was.
 */
export function createUsedKeys({ rpc, redis }: Dependencies): WorkspaceOfKey {
  return async ({ userId }, { path, key }) => {
    const { data } = await rpc.identity.ListWorkspaces({ user_id: userId! });
    const isKept = ({ id }: { id: string }) => redis.exists(nameOf(keyScope(id, path), key));
    const kept = await mapAtOnce(data, AT_ONCE, isKept).catch(
      mayFail('keys are not kept while Redis is away'),
    );
    return data.find((_, index) => kept?.[index] === 1)?.id ?? null;
  };
}
