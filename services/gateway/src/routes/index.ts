import type { Route } from '../routing';
import { attentionRoutes } from './attention/routes';
import { auditLogRoutes } from './audit-log/routes';
import { authRoutes } from './auth/routes';
import { automationRoutes } from './automations/routes';
import { brandRoutes } from './brand/routes';
import { campaignRoutes } from './campaigns/routes';
import { checkpointRoutes } from './checkpoints/routes';
import { clientExportRoutes } from './client-export/routes';
import { clientImportRoutes } from './client-import/routes';
import { clientRoutes } from './clients/routes';
import { couponRoutes } from './coupons/routes';
import { dataModelRoutes } from './data-model/routes';
import { distributionRoutes } from './distributions/routes';
import { downloadRoutes } from './downloads/routes';
import { enrollmentRoutes } from './enrollment/routes';
import { eventStreamRoutes } from './event-stream/routes';
import { eventTypeRoutes } from './event-types/routes';
import { eventRoutes } from './events/routes';
import { fileRoutes } from './files/routes';
import { googleWalletRoutes } from './google-wallet/routes';
import { imageSourceRoutes } from './image-sources/routes';
import { inboxRoutes } from './inbox/routes';
import { integrationRoutes } from './integrations/routes';
import { invitationRoutes } from './invitations/routes';
import { loyaltyConfigRoutes } from './loyalty-config/routes';
import { mailRoutes } from './mails/routes';
import { meRoutes } from './me/routes';
import { memberRoutes } from './members/routes';
import { mobileAppRoutes } from './mobile-app/routes';
import { mobileAppConfigRoutes } from './mobile-app-config/routes';
import { mobileAuthRoutes } from './mobile-auth/routes';
import { mobileUserRoutes } from './mobile-users/routes';
import { outboundJobRoutes } from './outbound-jobs/routes';
import { overviewRoutes } from './overview/routes';
import { pageSessionRoutes } from './page-sessions/routes';
import { passTemplateRoutes } from './pass-templates/routes';
import { passRoutes } from './passes/routes';
import { passkitRoutes } from './passkit/routes';
import { pointRoutes } from './points/routes';
import { portalRoutes } from './portal/routes';
import { portalConfigRoutes } from './portal-config/routes';
import { programmeRoutes } from './programmes/routes';
import { projectRoutes } from './projects/routes';
import { referralRoutes } from './referrals/routes';
import { rewardRoutes } from './rewards/routes';
import { withScopes } from './scopes';
import { searchRoutes } from './search/routes';
import { segmentRoutes } from './segments/routes';
import { settingsRoutes } from './settings/routes';
import { tierRoutes } from './tiers/routes';
import { userRoutes } from './user/routes';
import { walletCredentialRoutes } from './wallet-credentials/routes';
import { walletLinkRoutes } from './wallet-links/routes';
import { walletPreviewRoutes } from './wallet-previews/routes';
import { walletTypeRoutes } from './wallet-types/routes';
import { walletRoutes } from './wallets/routes';
import { webhookRoutes } from './webhooks/routes';
import { workspaceRoutes } from './workspaces/routes';

/** The route table: one line per noun. What is not in it does not exist. */
export const routes: Route[] = withScopes([
  ...auditLogRoutes,
  ...authRoutes,
  ...automationRoutes,
  ...brandRoutes,
  ...campaignRoutes,
  ...clientExportRoutes,
  ...clientImportRoutes,
  ...clientRoutes,
  ...dataModelRoutes,
  ...distributionRoutes,
  ...downloadRoutes,
  ...enrollmentRoutes,
  ...eventRoutes,
  ...inboxRoutes,
  ...integrationRoutes,
  ...fileRoutes,
  ...imageSourceRoutes,
  ...invitationRoutes,
  ...memberRoutes,
  ...mobileAppConfigRoutes,
  ...mobileAppRoutes,
  ...mobileAuthRoutes,
  ...mobileUserRoutes,
  ...passRoutes,
  ...pageSessionRoutes,
  ...passTemplateRoutes,
  ...passkitRoutes,
  ...googleWalletRoutes,
  ...walletCredentialRoutes,
  ...walletLinkRoutes,
  ...walletPreviewRoutes,
  ...programmeRoutes,
  ...projectRoutes,
  ...portalRoutes,
  ...portalConfigRoutes,
  ...referralRoutes,
  ...rewardRoutes,
  ...couponRoutes,
  ...segmentRoutes,
  ...settingsRoutes,
  ...tierRoutes,
  ...userRoutes,
  ...workspaceRoutes,
  ...webhookRoutes,
  ...eventTypeRoutes,
  ...outboundJobRoutes,
  ...checkpointRoutes,
  ...loyaltyConfigRoutes,
  ...pointRoutes,
  ...walletTypeRoutes,
  ...walletRoutes,
  ...mailRoutes,
  ...meRoutes,
  ...overviewRoutes,
  ...attentionRoutes,
  ...searchRoutes,
  ...eventStreamRoutes,
]);
