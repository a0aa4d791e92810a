import type { AuthCache, PortalLinks, Tokens } from '@laurel/auth-cache';
import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { MessageQueue } from '@laurel/mail';
import type { Connection } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';
import type { IdentityConfig } from './config';
import type { ClockPeers } from './outside/clock-peers';
import type { FailureLimit } from './outside/failure-limit';
import type { LoginFailures } from './outside/login-failures';
import type { Passwords } from './outside/passwords';
import type { SignOnProvider } from './outside/sign-on-provider';
import type { ApiTokenStore } from './store/api-tokens';
import type { AuditStore } from './store/audit-log';
import type { EmailVerificationStore } from './store/email-verifications';
import type { InvitationStore } from './store/invitations';
import type { KnownSourceStore } from './store/known-sources';
import type { MailCountStore } from './store/mail-counts';
import type { MailTextStore } from './store/mail-texts';
import type { MemberStore } from './store/members';
import type { MobileAppAccessStore } from './store/mobile-app-access';
import type { MobileSessionStore } from './store/mobile-sessions';
import type { MobileUserStore } from './store/mobile-users';
import type { PairingCodeStore } from './store/pairing-codes';
import type { PasswordResetStore } from './store/password-resets';
import type { PortalCodeStore } from './store/portal-codes';
import type { PortalLogoutStore } from './store/portal-logouts';
import type { RefreshTokenStore } from './store/refresh-tokens';
import type { SandboxClockStore } from './store/sandbox-clocks';
import type { SessionStore } from './store/sessions';
import type { UserStore } from './store/users';
import type { WorkspaceStore } from './store/workspaces';

/** What use cases work with; each is made once, in service.ts. */
export interface Deps {
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
  connection: Connection;
  outbox: Pick<Outbox, 'append'>;
  cache: AuthCache;
  tokens: Tokens;
  portalLinks: PortalLinks;
  clients: Pick<
    RpcClient<'clients'>,
    'GetClient' | 'GetClientStanding' | 'FindClientBy' | 'NoteAddressProof'
  >;
  clockPeers: ClockPeers;
  passwords: Passwords;
  messages: MessageQueue;
  loginFailures: LoginFailures;
  pairFailures: FailureLimit;
  google: SignOnProvider;

  users: UserStore;
  sessions: SessionStore;
  refreshTokens: RefreshTokenStore;
  apiTokens: ApiTokenStore;
  passwordResets: PasswordResetStore;
  emailVerifications: EmailVerificationStore;
  mailCounts: MailCountStore;
  mailTexts: MailTextStore;
  knownSources: KnownSourceStore;
  workspaces: WorkspaceStore;
  sandboxClocks: SandboxClockStore;
  members: MemberStore;
  invitations: InvitationStore;
  mobileUsers: MobileUserStore;
  pairingCodes: PairingCodeStore;
  mobileSessions: MobileSessionStore;
  mobileRefreshTokens: RefreshTokenStore;
  mobileAppAccess: MobileAppAccessStore;
  portalCodes: PortalCodeStore;
  portalLogouts: PortalLogoutStore;
  audit: AuditStore;
}
