import { platform, Refusal } from '@laurel/errors';
import type { Stack } from '../routing';
import type { RpcClients } from '../rpc-clients';
import { isUuid } from '../schema/types';
import type { Caller } from './caller';
import type { ReadMembership } from './memberships';

/** What of a request may name its workspace. */
export interface Parts {
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
}

interface Dependencies {
  rpc: RpcClients;
  membership: ReadMembership;
}

/** Admits callers to the workspace that a request is about. */
export function createWorkspaceGuard({ rpc, membership }: Dependencies) {
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

  return async function admit(
    stack: Stack,
    caller: Caller,
    { params, query, body }: Parts,
  ): Promise<string> {
    if (caller.type === 'mobile' || caller.type === 'client') return caller.membership!.workspaceId;
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
