import type { TokenScope } from '@laurel/contract';
import type { Actor } from '@laurel/lifecycle';

export interface Membership {
  workspaceId: string;
  userId: string;
  role: string;
  roleId: string | null;
  permissions: readonly string[];
  isCreator: boolean;
  /** How far the workspace was ahead of real time, where it is a sandbox. */
  sandboxAheadMs?: number;
}

/** Who is calling, as far as the stack of the route asked. */
export interface Caller {
  type: 'anonymous' | 'user' | 'token' | 'mobile' | 'client';
  userId: string | null;
  email: string | null;
  sessionId: string | null;
  /** Of an API token. */
  tokenSha256?: string;
  /** What the caller's limit is counted on: never the secret itself. */
  limitKey: string;
  membership: Membership | null;
  /** What the caller's token is for, where it is a named one. */
  grant?: TokenGrant;
}

/** What a named token may do, and in which workspace alone where it is bound to one (docs/adr/0041). */
export interface TokenGrant {
  scope: TokenScope;
  workspaceId: string | null;
}

export function anonymous(ip: string): Caller {
  return {
    type: 'anonymous',
    userId: null,
    email: null,
    sessionId: null,
    limitKey: ip,
    membership: null,
  };
}

export function actorOf(caller: Caller): Actor {
  if (caller.type === 'anonymous') return { type: 'system', id: null };
  return { type: caller.type, id: caller.userId, email: caller.email };
}

/** The caller as identity asks for them: without a session the call came with the API token. */
export function asCaller({ userId, sessionId }: Caller): { user_id: string; session_id?: string } {
  return { user_id: userId!, ...(sessionId === null ? {} : { session_id: sessionId }) };
}
