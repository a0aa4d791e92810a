import type { ConsumerSpec } from '@laurel/backend';
import type { ClientsMerged } from '@laurel/events';
import type { CollectionIndexes } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { Job } from '@laurel/work';
import type { Deps } from './deps';
import { mobileAppIndexes } from './store/mobile-apps';
import { staffOperationIndexes } from './store/staff-operations';
import {
  createAppAction,
  deleteAppAction,
  locateAppAction,
  reorderAppActions,
  updateAppAction,
} from './use-cases/app-actions';
import {
  createAppConfig,
  deleteAppConfig,
  getAppConfig,
  updateAppConfig,
} from './use-cases/app-configs';
import { executeAppAction } from './use-cases/execute-app-action';
import { getMobileApp } from './use-cases/get-mobile-app';
import { listRecentOperations, listStaffActivity } from './use-cases/list-operations';
import {
  getMobilePass,
  getMobilePassLoyalty,
  scanMobilePass,
  searchMobilePasses,
} from './use-cases/read-mobile-passes';
import {
  listMobilePassEntries,
  listMobilePassEvents,
  listMobilePassRedemptions,
  listMobilePassRewards,
} from './use-cases/read-pass-trail';
import { scanReceipt } from './use-cases/scan-receipt';
import { signUpClient } from './use-cases/sign-up-client';
import { useMobileRedemption, validateMobileCoupon } from './use-cases/take-coupon';
import { undoOperation } from './use-cases/undo-operation';

export { createMobileDeps, type MobileDeps } from './deps';
export { mobileSettings } from './settings';

/** What the staff app runs on: its configuration, actions, reading passes and receipts. */

export const mobileIndexes: readonly CollectionIndexes[] = [
  mobileAppIndexes,
  staffOperationIndexes,
];

/** rpc -> use case. */
export const mobileHandlers = (deps: Deps) =>
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
    UndoStaffOperation: (request) => undoOperation(deps, request),
    ListRecentOperations: (request) => listRecentOperations(deps, request),
    ListStaffActivity: (request) => listStaffActivity(deps, request),
    ValidateMobileCoupon: (request) => validateMobileCoupon(deps, request),
    SignUpMobileClient: (request) => signUpClient(deps, request),
    UseMobileRedemption: (request) => useMobileRedemption(deps, request),
    ScanReceipt: (request) => scanReceipt(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;

/** event -> use case. */
export const mobileConsumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'passes.mobile-clients',
    bindings: ['clients.merged'],
    handle: (event) => {
      const { source_client_id: source, target_client_id: target } = event.data as ClientsMerged;
      return deps.staffOperations.moveClient(event.workspaceid!, source, target);
    },
  },
  {
    queue: 'passes.mobile-workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: async (event) => {
      await deps.staffOperations.removeWorkspace(event.workspaceid!);
      await deps.mobileApps.removeWorkspace(event.workspaceid!);
    },
  },
];

export const mobileJobs = (_deps: Deps): Job[] => [];
