/** What stands under `auth:session:*` and `auth:token:*`. */
export interface CachedPrincipal {
  user_id: string;
  email: string;
  first_name?: string | null;
  last_name?: string | null;
  session_id?: string | null;
  token_type: string;
  /** Of named tokens alone, and never missing there (docs/adr/0041). */
  grant?: CachedGrant;
}

/** What a named token is for. */
export interface CachedGrant {
  token_id: string;
  scope: string;
  /** The one workspace that it opens; absent where it opens all of its user's. */
  workspace_id?: string;
  /** When it ends, which may be before this is forgotten; absent where it does not. */
  expires_at?: string;
}

/** What stands under `auth:member:*`. */
export interface CachedMembership {
  workspace_id: string;
  user_id: string;
  role: string;
  role_id: string;
  permissions: string[];
  is_creator: boolean;
  status: string;
  /** How far a sandbox was ahead of real time (docs/adr/0029); absent where the workspace is none. */
  sandbox_ahead_ms?: number;
}

/** What stands under `auth:mobile:*`. */
export interface CachedMobilePrincipal {
  session_id: string;
  workspace_id: string;
  mobile_user_id: string;
  linked_user_id?: string | null;
  email?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  role: string;
  role_id: string;
  app_enabled: boolean;
  role_allowed: boolean;
}

/** What stands under `auth:portal:*`: that the portal is there and switched on, and since when its sessions count. */
export interface CachedPortal {
  workspace_id: string;
  /** Absent in answers from before sessions could be ended: all count. */
  sessions_since?: number;
}

/** Where the answer to "who is this, and may they" is kept for a minute. */
export const authKeys = {
  session: (sessionId: string) => `auth:session:${sessionId}`,
  token: (tokenSha256: string) => `auth:token:${tokenSha256}`,
  member: (workspaceId: string, userId: string) => `auth:member:${workspaceId}:${userId}`,
  mobile: (sessionId: string) => `auth:mobile:${sessionId}`,
  portal: (workspaceId: string) => `auth:portal:${workspaceId}`,
  portalSession: (workspaceId: string, sessionId: string) =>
    `auth:portal-session:${workspaceId}:${sessionId}`,
} as const;
