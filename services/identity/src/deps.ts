import type { AuthCache, PortalLinks, Tokens } from '@laurel/auth-cache';
import type { Orphans, Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { MessageQueue } from '@laurel/mail';
import type { Connection } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';
import { collections } from './collections';
import type { IdentityConfig } from './config';
import type { ClockPeers } from './outside/clock-peers';
import type { ClonePeers } from './outside/clone-peers';
import type { FailureLimit } from './outside/failure-limit';
import type { LoginFailures } from './outside/login-failures';
import type { Passwords } from './outside/passwords';
import type { SignOnProvider } from './outside/sign-on-provider';
import { createApiTokenStore } from './store/api-tokens';
import { createAuditStore } from './store/audit-log';
import { createDownloadStore } from './store/downloads';
import { createEmailVerificationStore } from './store/email-verifications';
import { createInvitationStore } from './store/invitations';
import { createKnownSourceStore } from './store/known-sources';
import { createMailCountStore } from './store/mail-counts';
import { createMailTextStore } from './store/mail-texts';
import { createMemberStore } from './store/members';
import { createMobileAppAccessStore } from './store/mobile-app-access';
import { createMobileSessionStore } from './store/mobile-sessions';
import { createMobileUserStore } from './store/mobile-users';
import { createNamedTokenStore } from './store/named-tokens';
import { createPairingCodeStore } from './store/pairing-codes';
import { createPasswordResetStore } from './store/password-resets';
import { createPortalCodeStore } from './store/portal-codes';
import { createPortalLogoutStore } from './store/portal-logouts';
import { createProgrammeStore } from './store/programmes';
import {
  createRefreshTokenStore,
  mobileRefreshTokens,
  refreshTokens,
} from './store/refresh-tokens';
import { createSandboxClockStore } from './store/sandbox-clocks';
import { createSessionStore } from './store/sessions';
import { createUserStore } from './store/users';
import { createCloneStore } from './store/workspace-clones';
import { createWorkspaceStore } from './store/workspaces';

/** Every collection of the service, each behind its own few functions. */
export const createStores = (connection: Connection, jwtSecret: string) => ({
  connection,
  collections,
  users: createUserStore(connection),
  sessions: createSessionStore(connection),
  refreshTokens: createRefreshTokenStore(connection, refreshTokens),
  apiTokens: createApiTokenStore(connection),
  namedTokens: createNamedTokenStore(connection),
  passwordResets: createPasswordResetStore(connection),
  emailVerifications: createEmailVerificationStore(connection),
  downloads: createDownloadStore(connection),
  mailCounts: createMailCountStore(connection),
  mailTexts: createMailTextStore(connection),
  knownSources: createKnownSourceStore(connection, jwtSecret),
  workspaces: createWorkspaceStore(connection),
  programmes: createProgrammeStore(connection),
  sandboxClocks: createSandboxClockStore(connection),
  workspaceClones: createCloneStore(connection),
  members: createMemberStore(connection),
  invitations: createInvitationStore(connection),
  mobileUsers: createMobileUserStore(connection),
  pairingCodes: createPairingCodeStore(connection),
  mobileSessions: createMobileSessionStore(connection),
  mobileRefreshTokens: createRefreshTokenStore(connection, mobileRefreshTokens),
  mobileAppAccess: createMobileAppAccessStore(connection),
  portalCodes: createPortalCodeStore(connection),
  portalLogouts: createPortalLogoutStore(connection),
  audit: createAuditStore(connection),
});

/** What use cases work with; each is made once, in service.ts. */
export interface Deps extends ReturnType<typeof createStores> {
  config: Pick<
    IdentityConfig,
    | 'publicUrl'
    | 'jwtSecret'
    | 'allowRegistration'
    | 'sandboxesMax'
    | 'mobileSessionDays'
    | 'auditLogDays'
    | 'bootstrapAdminEmail'
    | 'smtpUrl'
  >;
  logger: Logger;
  clock: { now(): Date };
  outbox: Pick<Outbox, 'append'>;
  cache: AuthCache;
  tokens: Tokens;
  portalLinks: PortalLinks;
  clients: Pick<
    RpcClient<'clients'>,
    | 'CreateClient'
    | 'FindClientBy'
    | 'GetClient'
    | 'GetClientStanding'
    | 'ListClients'
    | 'NoteAddressProof'
  >;
  ledger: Pick<RpcClient<'ledger'>, 'AdjustPoints' | 'EarnPoints' | 'ListBalances'>;
  clockPeers: ClockPeers;
  clonePeers: ClonePeers;
  passwords: Passwords;
  messages: MessageQueue;
  orphans: Pick<Orphans, 'look' | 'forget'>;
  loginFailures: LoginFailures;
  pairFailures: FailureLimit;
  google: SignOnProvider;
}
