import { platform, Refusal } from '@laurel/errors';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { isUuid } from '../schema/types';
import type { Caller } from './caller';
import type { ReadMembership } from './memberships';
import type { UsedKey, WorkspaceOfKey } from './used-keys';

/** What of a request may name its workspace. */
export interface Parts {
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
  /** Where it came under an Idempotency-Key. */
  used?: UsedKey | undefined;
}

interface Dependencies {
  rpc: RpcClients;
  membership: ReadMembership;
  workspaceOfKey: WorkspaceOfKey;
}

/** A row that is gone was in the workspace in which the key of the request was used. */
async function foundOrGone(
  find: () => Promise<string>,
  byKey: () => Promise<string | null>,
): Promise<string> {
  try {
    return await find();
  } catch (error) {
    const isGone = error instanceof Refusal && error.httpStatus === 404;
    const workspaceId = isGone ? await byKey() : null;
    if (workspaceId === null) throw error;
    return workspaceId;
  }
}

/** Admits callers to the workspace that a request is about. */
export function createWorkspaceGuard({ rpc, membership, workspaceOfKey }: Dependencies) {
  async function rowWorkspace(
    find: () => Promise<string>,
    caller: Caller,
    used: UsedKey | undefined,
  ): Promise<string> {
    try {
      const byKey = async () => (used ? workspaceOfKey(caller, used) : null);
      const workspaceId = await foundOrGone(find, byKey);
      if (workspaceId !== '') caller.membership = await membership(workspaceId, caller);
      return workspaceId;
    } catch (error) {
      // A stranger must not learn that the row exists (part 3, section 1.1): both cases answer alike, to the letter.
      if (error instanceof Refusal && [403, 404].includes(error.httpStatus))
        throw platform.recordNotFound();
      throw error;
    }
  }

  return async function admit(
    stack: Stack,
    caller: Caller,
    { params, query, body, used }: Parts,
  ): Promise<string> {
    if (caller.type === 'mobile' || caller.type === 'client') return caller.membership!.workspaceId;
    if (stack.name !== 'member' || stack.scope.from === 'none') return '';
    const { scope } = stack;
    let workspaceId: string;
    if (scope.from === 'path') {
      workspaceId = params.workspaceId!;
      requireMember(caller, workspaceId);
    } else if (scope.from === 'row')
      workspaceId = await rowWorkspace(() => scope.find(rpc, params, body), caller, used);
    else {
      const named = (
        (scope.from === 'body' ? body : query) as Record<string, unknown> | undefined
      )?.[scope.field];
      workspaceId = typeof named === 'string' ? named.toLowerCase() : '';
      // What is no UUID in letters of either case is refused by the form check that follows.
      if (!isUuid(workspaceId)) return '';
      caller.membership = await membership(workspaceId, caller);
    }
    if (stack.permission !== null && !caller.membership!.permissions.includes(stack.permission)) {
      throw platform.forbidden({ message: `this needs the permission ${stack.permission}` });
    }
    return workspaceId;
  };
}

/**
 * The net below `admit`, for after the form check: what that took for the name of a workspace must be one that the caller
 * was admitted to, however differently the two may read it.
 */
export function requireAdmitted(stack: Stack, workspaceId: string): void {
  const isNamed = stack.name === 'member' && ['body', 'query'].includes(stack.scope.from);
  if (isNamed && workspaceId === '') throw platform.forbidden();
}

/** The same of a path, whose workspace was looked up with the credential, by who reads it themselves. */
function requireMember({ membership }: Caller, workspaceId: string): void {
  if (membership?.workspaceId !== workspaceId) throw platform.forbidden();
}
