import type { Handlers } from '@laurel/rpc';
import type { Deps, EnrollmentDeps, MobileDeps, PassDeps, WalletDeps } from './deps';
import { createDistribution } from './use-cases/distribution/create-distribution';
import { deleteDistribution } from './use-cases/distribution/delete-distribution';
import { duplicateDistribution } from './use-cases/distribution/duplicate-distribution';
import { getDistributionQr } from './use-cases/distribution/get-distribution-qr';
import { getDistribution, listDistributions } from './use-cases/distribution/read-distributions';
import { rotateToken } from './use-cases/distribution/rotate-token';
import { updateDistribution } from './use-cases/distribution/update-distribution';
import {
  confirmEnrollment,
  getEnrollmentConfirmation,
} from './use-cases/enrollment/confirm-enrollment';
import { getAllowedOrigins, getEnrollmentForm } from './use-cases/enrollment/find-form';
import { resendPass } from './use-cases/enrollment/resend-pass';
import { submitEnrollment } from './use-cases/enrollment/submit-enrollment';
import { exportClient } from './use-cases/export-client';
import { deleteFile } from './use-cases/file/delete-file';
import { getAsset } from './use-cases/file/get-asset';
import { previewImageSource, refreshImageSource } from './use-cases/file/image-sources';
import { listFiles } from './use-cases/file/list-files';
import { requireFiles } from './use-cases/file/require-files';
import { storeFile, storePicture } from './use-cases/file/store-file';
import { getSetup } from './use-cases/get-setup';
import {
  createAppAction,
  deleteAppAction,
  locateAppAction,
  reorderAppActions,
  updateAppAction,
} from './use-cases/mobile/app-actions';
import {
  createAppConfig,
  deleteAppConfig,
  getAppConfig,
  updateAppConfig,
} from './use-cases/mobile/app-configs';
import { executeAppAction } from './use-cases/mobile/execute-app-action';
import { followOperation } from './use-cases/mobile/follow-operation';
import { getMobileApp } from './use-cases/mobile/get-mobile-app';
import { listRecentOperations, listStaffActivity } from './use-cases/mobile/list-operations';
import { quoteAppAction } from './use-cases/mobile/quote-app-action';
import {
  getMobilePass,
  getMobilePassLoyalty,
  scanMobilePass,
  searchMobilePasses,
} from './use-cases/mobile/read-mobile-passes';
import {
  listMobilePassEntries,
  listMobilePassEvents,
  listMobilePassRedemptions,
  listMobilePassRewards,
} from './use-cases/mobile/read-pass-trail';
import { scanReceipt } from './use-cases/mobile/scan-receipt';
import { signUpClient } from './use-cases/mobile/sign-up-client';
import { useMobileRedemption, validateMobileCoupon } from './use-cases/mobile/take-coupon';
import { undoOperation } from './use-cases/mobile/undo-operation';
import { countPasses } from './use-cases/pass/count-passes';
import { createPass } from './use-cases/pass/create-pass';
import { deletePass } from './use-cases/pass/delete-pass';
import { getPassFigures } from './use-cases/pass/get-pass-figures';
import { listOfferedPasses } from './use-cases/pass/list-offered-passes';
import { listPushes, retryPush } from './use-cases/pass/list-pushes';
import { getLoyaltyRenderData } from './use-cases/pass/loyalty-render-data';
import { notifyPasses } from './use-cases/pass/notify-passes';
import {
  findPassByBarcode,
  getPass,
  listPasses,
  listPassesOfClients,
  locatePasses,
} from './use-cases/pass/read-passes';
import { refreshWorkspace } from './use-cases/pass/refresh-for';
import { updatePass } from './use-cases/pass/update-pass';
import { createProject } from './use-cases/project/create-project';
import { deleteProject } from './use-cases/project/delete-project';
import {
  getProject,
  getProjectStats,
  getProjects,
  listProjects,
  locateProject,
} from './use-cases/project/read-projects';
import { updateProject } from './use-cases/project/update-project';
import { search } from './use-cases/search';
import { createTemplate } from './use-cases/template/create-template';
import { deleteTemplate } from './use-cases/template/delete-template';
import { duplicateTemplate } from './use-cases/template/duplicate-template';
import { migrateTemplate } from './use-cases/template/migrate-template';
import {
  getTemplate,
  getTemplates,
  listTemplates,
  locateTemplate,
} from './use-cases/template/read-templates';
import { updateTemplate } from './use-cases/template/update-template';
import {
  getLatestApplePass,
  listChangedApplePasses,
  logAppleErrors,
  registerAppleDevice,
  unregisterAppleDevice,
} from './use-cases/wallet/apple-devices';
import { getApplePass } from './use-cases/wallet/get-apple-pass';
import { getGoogleLink } from './use-cases/wallet/get-google-link';
import { getQrCode } from './use-cases/wallet/get-qr-code';
import { getTemplateIcon } from './use-cases/wallet/get-template-icon';
import { getWalletStatus } from './use-cases/wallet/get-wallet-status';
import { listAttention } from './use-cases/wallet/list-attention';
import { handleGoogleCallback } from './use-cases/wallet/note-google-install';
import { previewDraft, previewTemplate } from './use-cases/wallet/preview-template';
import {
  deleteWalletCredentials,
  putAppleCredentials,
  putGoogleCredentials,
} from './use-cases/wallet/put-credentials';

/** rpc -> use case. */
export const rpcHandlers = (deps: Deps): Handlers<'passes'> => ({
  ...passHandlers(deps),
  ...walletHandlers(deps),
  ...enrollmentHandlers(deps),
  ...mobileHandlers(deps),
  ExportClient: (request) => exportClient(deps, request),
  Search: (request) => search(deps, request),
  GetSetup: (request) => getSetup(deps, request),
});

/** Projects, templates, passes and files. */
const passHandlers = (deps: PassDeps) =>
  ({
    ListProjects: (request) => listProjects(deps, request),
    GetProject: (request) => getProject(deps, request),
    CreateProject: (request) => createProject(deps, request),
    UpdateProject: (request) => updateProject(deps, request),
    DeleteProject: (request) => deleteProject(deps, request),
    GetProjectStats: (request) => getProjectStats(deps, request),
    ListTemplates: (request) => listTemplates(deps, request),
    GetTemplate: (request) => getTemplate(deps, request),
    CreateTemplate: (request) => createTemplate(deps, request),
    DuplicateTemplate: (request) => duplicateTemplate(deps, request),
    UpdateTemplate: (request) => updateTemplate(deps, request),
    DeleteTemplate: (request) => deleteTemplate(deps, request),
    MigrateTemplate: (request) => migrateTemplate(deps, request),
    ListPasses: (request) => listPasses(deps, request),
    GetPass: (request) => getPass(deps, request),
    CreatePass: (request) => createPass(deps, request),
    UpdatePass: (request) => updatePass(deps, request),
    NotifyPasses: (request) => notifyPasses(deps, request),
    GetLoyaltyRenderData: (request) => getLoyaltyRenderData(deps, request),
    DeletePass: (request) => deletePass(deps, request),
    RefreshPasses: async (request) => ({
      template_count: await refreshWorkspace(deps, request.workspace_id),
    }),
    GetPassFigures: (request) => getPassFigures(deps, request),
    CountPasses: (request) => countPasses(deps, request),
    ListPushes: (request) => listPushes(deps, request),
    RetryPush: (request) => retryPush(deps, request),
    StoreFile: (request) => storeFile(deps, request),
    StorePicture: (request) => storePicture(deps, request),
    ListFiles: (request) => listFiles(deps, request),
    RequireFiles: (request) => requireFiles(deps, request),
    DeleteFile: (request) => deleteFile(deps, request),
    GetAsset: (request) => getAsset(deps, request),
    PreviewImageSource: (request) => previewImageSource(deps, request),
    RefreshImageSource: (request) => refreshImageSource(deps, request),
    GetProjects: (request) => getProjects(deps, request),
    GetTemplates: (request) => getTemplates(deps, request),
    ListPassesOfClients: (request) => listPassesOfClients(deps, request),
    FindPassByBarcode: (request) => findPassByBarcode(deps, request),
    LocateProject: (request) => locateProject(deps, request),
    LocateTemplate: (request) => locateTemplate(deps, request),
    LocatePasses: (request) => locatePasses(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;

/** Wallets: what passes are on phones. */
const walletHandlers = (deps: WalletDeps) =>
  ({
    GetApplePass: (request) => getApplePass(deps, request),
    GetGoogleLink: (request) => getGoogleLink(deps, request),
    GetPassQrCode: (request) => getQrCode(deps, request),
    GetTemplateIcon: (request) => getTemplateIcon(deps, request),
    PreviewTemplate: (request) => previewTemplate(deps, request),
    PreviewDraft: (request) => previewDraft(deps, request),
    ListOfferedPasses: (request) => listOfferedPasses(deps, request),
    GetWalletStatus: (request) => getWalletStatus(deps, request),
    RegisterAppleDevice: (request) => registerAppleDevice(deps, request),
    UnregisterAppleDevice: (request) => unregisterAppleDevice(deps, request),
    ListChangedApplePasses: (request) => listChangedApplePasses(deps, request),
    GetLatestApplePass: (request) => getLatestApplePass(deps, request),
    PutAppleCredentials: (request) => putAppleCredentials(deps, request),
    PutGoogleCredentials: (request) => putGoogleCredentials(deps, request),
    DeleteWalletCredentials: (request) => deleteWalletCredentials(deps, request),
    HandleGoogleCallback: (request) => handleGoogleCallback(deps, request),
    ListAttention: (request) => listAttention(deps, request),
    LogAppleErrors: (request) => logAppleErrors(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;

/** Distributions, enrollment forms, the widget. */
const enrollmentHandlers = (deps: EnrollmentDeps) =>
  ({
    ListDistributions: (request) => listDistributions(deps, request),
    GetDistribution: (request) => getDistribution(deps, request),
    CreateDistribution: (request) => createDistribution(deps, request),
    DuplicateDistribution: (request) => duplicateDistribution(deps, request),
    UpdateDistribution: (request) => updateDistribution(deps, request),
    DeleteDistribution: (request) => deleteDistribution(deps, request),
    RotateDistributionToken: (request) => rotateToken(deps, request),
    GetDistributionQr: (request) => getDistributionQr(deps, request),
    GetEnrollmentForm: (request) => getEnrollmentForm(deps, request),
    GetAllowedOrigins: (request) => getAllowedOrigins(deps, request),
    ResendPass: (request) => resendPass(deps, request),
    SubmitEnrollment: (request) => submitEnrollment(deps, request),
    GetEnrollmentConfirmation: (request) => getEnrollmentConfirmation(deps, request),
    ConfirmEnrollment: (request) => confirmEnrollment(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;

/** The staff app. */
const mobileHandlers = (deps: MobileDeps) =>
  ({
    GetMobileAppConfig: (request) => getAppConfig(deps, request),
    CreateMobileAppConfig: (request) => createAppConfig(deps, request),
    UpdateMobileAppConfig: (request) => updateAppConfig(deps, request),
    DeleteMobileAppConfig: (request) => deleteAppConfig(deps, request),
    CreateMobileAppAction: (request) => createAppAction(deps, request),
    UpdateMobileAppAction: (request) => updateAppAction(deps, request),
    DeleteMobileAppAction: (request) => deleteAppAction(deps, request),
    ReorderMobileAppActions: (request) => reorderAppActions(deps, request),
    LocateMobileAppAction: (request) => locateAppAction(deps, request),
    GetMobileApp: (request) => getMobileApp(deps, request),
    SearchMobilePasses: (request) => searchMobilePasses(deps, request),
    ScanMobilePass: (request) => scanMobilePass(deps, request),
    GetMobilePass: (request) => getMobilePass(deps, request),
    GetMobilePassLoyalty: (request) => getMobilePassLoyalty(deps, request),
    ListMobilePassEvents: (request) => listMobilePassEvents(deps, request),
    ListMobilePassEntries: (request) => listMobilePassEntries(deps, request),
    ListMobilePassRewards: (request) => listMobilePassRewards(deps, request),
    ListMobilePassRedemptions: (request) => listMobilePassRedemptions(deps, request),
    ExecuteMobileAppAction: (request) => executeAppAction(deps, request),
    QuoteMobileAppAction: (request) => quoteAppAction(deps, request),
    FollowStaffOperation: (request) => followOperation(deps, request),
    UndoStaffOperation: (request) => undoOperation(deps, request),
    ListRecentOperations: (request) => listRecentOperations(deps, request),
    ListStaffActivity: (request) => listStaffActivity(deps, request),
    SignUpMobileClient: (request) => signUpClient(deps, request),
    ValidateMobileCoupon: (request) => validateMobileCoupon(deps, request),
    UseMobileRedemption: (request) => useMobileRedemption(deps, request),
    ScanReceipt: (request) => scanReceipt(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;
