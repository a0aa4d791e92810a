import { createAuthCache, createPortalLinks, createTokens } from '@laurel/auth-cache';
import { type RunningBackend, startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { createMessageQueue, createTransports, messageIndexes } from '@laurel/mail';
import type { CollectionIndexes, Connection } from '@laurel/mongo';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import type { Deps } from './deps';
import { jobs } from './jobs';
import { createClockPeers } from './outside/clock-peers';
import { createFailureLimit } from './outside/failure-limit';
import { createLoginFailures } from './outside/login-failures';
import { createPasswords } from './outside/passwords';
import { createSignOnProvider } from './outside/sign-on-provider';
import { rpcHandlers } from './rpc';
import { apiTokenIndexes, createApiTokenStore } from './store/api-tokens';
import { auditIndexes, createAuditStore } from './store/audit-log';
import {
  createEmailVerificationStore,
  emailVerificationIndexes,
} from './store/email-verifications';
import { createInvitationStore, invitationIndexes } from './store/invitations';
import { createKnownSourceStore, knownSourceIndexes } from './store/known-sources';
import { createMailCountStore, mailCountIndexes } from './store/mail-counts';
import { createMailTextStore } from './store/mail-texts';
import { createMemberStore, memberIndexes } from './store/members';
import { createMobileAppAccessStore } from './store/mobile-app-access';
import { createMobileSessionStore, mobileSessionIndexes } from './store/mobile-sessions';
import { createMobileUserStore, mobileUserIndexes } from './store/mobile-users';
import { createPairingCodeStore, pairingCodeIndexes } from './store/pairing-codes';
import { createPasswordResetStore, passwordResetIndexes } from './store/password-resets';
import { createPortalCodeStore, portalCodeIndexes } from './store/portal-codes';
import { createPortalLogoutStore, portalLogoutIndexes } from './store/portal-logouts';
import { createRefreshTokenStore, refreshTokenIndexes } from './store/refresh-tokens';
import { createSandboxClockStore } from './store/sandbox-clocks';
import { createSessionStore, sessionIndexes } from './store/sessions';
import { createUserStore, userIndexes } from './store/users';
import { createWorkspaceStore, workspaceIndexes } from './store/workspaces';
import { bootstrapAdmin } from './use-cases/bootstrap-admin';

export const indexes: readonly CollectionIndexes[] = [
  userIndexes,
  sessionIndexes,
  refreshTokenIndexes('refresh_tokens'),
  apiTokenIndexes,
  ...passwordResetIndexes,
  emailVerificationIndexes,
  mailCountIndexes,
  knownSourceIndexes,
  workspaceIndexes,
  memberIndexes,
  invitationIndexes,
  mobileUserIndexes,
  pairingCodeIndexes,
  mobileSessionIndexes,
  refreshTokenIndexes('mobile_refresh_tokens'),
  ...portalCodeIndexes,
  portalLogoutIndexes,
  auditIndexes,
  messageIndexes,
  ...collections,
];

/** Every collection of the service, each behind its own few functions. */
export const createStores = (connection: Connection, jwtSecret: string) => ({
  users: createUserStore(connection),
  sessions: createSessionStore(connection),
  refreshTokens: createRefreshTokenStore(connection, 'refresh_tokens'),
  apiTokens: createApiTokenStore(connection),
  passwordResets: createPasswordResetStore(connection),
  emailVerifications: createEmailVerificationStore(connection),
  mailCounts: createMailCountStore(connection),
  mailTexts: createMailTextStore(connection),
  knownSources: createKnownSourceStore(connection, jwtSecret),
  workspaces: createWorkspaceStore(connection),
  sandboxClocks: createSandboxClockStore(connection),
  members: createMemberStore(connection),
  invitations: createInvitationStore(connection),
  mobileUsers: createMobileUserStore(connection),
  pairingCodes: createPairingCodeStore(connection),
  mobileSessions: createMobileSessionStore(connection),
  mobileRefreshTokens: createRefreshTokenStore(connection, 'mobile_refresh_tokens'),
  mobileAppAccess: createMobileAppAccessStore(connection),
  portalCodes: createPortalCodeStore(connection),
  portalLogouts: createPortalLogoutStore(connection),
  audit: createAuditStore(connection),
});

export function start(environment?: Environment): Promise<RunningBackend> {
  return startBackend({
    name: 'identity',
    settings,
    environment,
    indexes,
    assemble: async ({ config, connection, outbox, redis, logger, lifecycle, client }) => {
      const transports = createTransports(config, logger);
      lifecycle.onStop('mail', () => transports.close());
      const deps: Deps = {
        config,
        logger,
        clock: { now: () => new Date() },
        connection,
        outbox,
        ...createStores(connection, config.jwtSecret),
        cache: createAuthCache(redis),
        tokens: createTokens(config.jwtSecret, config.jwtSecretPrevious),
        portalLinks: createPortalLinks(config.jwtSecret, config.jwtSecretPrevious),
        clients: client('clients', config.clientsTarget),
        clockPeers: createClockPeers(
          Object.entries({
            automations: config.automationsTarget,
            campaigns: config.campaignsTarget,
            clients: config.clientsTarget,
            identity: config.identityTarget,
            integrations: config.integrationsTarget,
            ledger: config.ledgerTarget,
            passes: config.passesTarget,
            referrals: config.referralsTarget,
            rewards: config.rewardsTarget,
            tiers: config.tiersTarget,
          }).map(([service, target]) => ({ service, client: client('clock', target) })),
        ),
        passwords: await createPasswords(config.passwordHashConcurrency),
        messages: createMessageQueue(connection, transports.deliver, logger),
        loginFailures: createLoginFailures(redis, 'login', {
          perPair: config.loginFailuresPerMinute,
          perAccount: config.loginFailuresPerAccount,
          perAddress: config.loginFailuresPerAddress,
        }),
        pairFailures: createFailureLimit(redis, 'pair', config.pairFailuresPerMinute),
        google: createSignOnProvider({
          clientId: config.googleClientId,
          jwksUrl: config.googleJwksUrl,
          issuer: config.googleIssuer,
        }),
      };
      await bootstrapAdmin(deps);
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}
