/** What a named token is for (docs/adr/0041). `full` is everything in workspaces; each but `read` reads, too. */
export const TOKEN_SCOPES = ['read', 'configure', 'operate', 'full'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Statuses of a user of the staff app. */
export const MOBILE_USER_STATUSES = ['pending', 'paired', 'active', 'suspended'] as const;
export type MobileUserStatus = (typeof MOBILE_USER_STATUSES)[number];

/** How far the clock of a sandbox is. */
export const SANDBOX_CLOCK_STATUSES = ['ready', 'advancing', 'failed'] as const;
export type SandboxClockStatus = (typeof SANDBOX_CLOCK_STATUSES)[number];
