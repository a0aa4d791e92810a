import { ofEveryService } from '@laurel/backend';
import { queuedMessages } from '@laurel/mail';
import type { Declared } from '@laurel/mongo';
import { apiTokens } from './store/api-tokens';
import { auditLog } from './store/audit-log';
import { downloads } from './store/downloads';
import { emailVerifications } from './store/email-verifications';
import { invitations } from './store/invitations';
import { knownSources } from './store/known-sources';
import { mailCounts } from './store/mail-counts';
import { mailTexts } from './store/mail-texts';
import { members } from './store/members';
import { mobileAppAccess } from './store/mobile-app-access';
import { mobileSessions } from './store/mobile-sessions';
import { mobileUsers } from './store/mobile-users';
import { namedTokens } from './store/named-tokens';
import { pairingCodes } from './store/pairing-codes';
import { passwordResets, resetRequests } from './store/password-resets';
import { portalCodeRequests, portalCodes } from './store/portal-codes';
import { portalLogouts } from './store/portal-logouts';
import { managedThings, programmes } from './store/programmes';
import { mobileRefreshTokens, refreshTokens } from './store/refresh-tokens';
import { sandboxClocks } from './store/sandbox-clocks';
import { sessions } from './store/sessions';
import { users } from './store/users';
import { workspaceClones } from './store/workspace-clones';
import { workspaces } from './store/workspaces';

/** Everything that this service keeps; who may come in goes first, so that no member adds to the rest meanwhile. */
export const collections: readonly Declared[] = [
  workspaces,
  members,
  invitations,
  mobileSessions,
  mobileRefreshTokens,
  pairingCodes,
  mobileUsers,
  mobileAppAccess,
  portalCodeRequests,
  portalCodes,
  portalLogouts,
  mailTexts,
  queuedMessages,
  sandboxClocks,
  workspaceClones,
  programmes,
  managedThings,
  downloads,
  auditLog,
  users,
  sessions,
  refreshTokens,
  apiTokens,
  namedTokens,
  resetRequests,
  passwordResets,
  emailVerifications,
  knownSources,
  mailCounts,
  ...ofEveryService,
];
