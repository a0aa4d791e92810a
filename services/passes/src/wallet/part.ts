import type { ConsumerSpec } from '@laurel/backend';
import type { EventOf } from '@laurel/events';
import type { CollectionIndexes } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import { resealAll, resealJob } from '@laurel/vault';
import { type Job, workerJob } from '@laurel/work';
import { listOfferedPasses } from '../core/use-cases/list-offered-passes';
import type { WalletsDeps } from './deps';
import { contentIndexes } from './store/contents';
import { googleCallbackIndexes } from './store/google-callbacks';
import { googleObjectIndexes } from './store/google-objects';
import { installIndexes } from './store/installs';
import { registrationIndexes } from './store/registrations';
import {
  getLatestApplePass,
  listChangedApplePasses,
  logAppleErrors,
  registerAppleDevice,
  unregisterAppleDevice,
} from './use-cases/apple-devices';
import { exportClient } from './use-cases/export-client';
import { forgetPass, forgetRetiredPasses, forgetWorkspace } from './use-cases/forget';
import { getApplePass } from './use-cases/get-apple-pass';
import { getGoogleLink } from './use-cases/get-google-link';
import { getQrCode } from './use-cases/get-qr-code';
import { getTemplateIcon } from './use-cases/get-template-icon';
import { getWalletStatus } from './use-cases/get-wallet-status';
import { listAttention } from './use-cases/list-attention';
import { handleGoogleCallback } from './use-cases/note-google-install';
import { previewTemplate } from './use-cases/preview-template';
import { pushWorker } from './use-cases/push-updates';
import {
  deleteWalletCredentials,
  putAppleCredentials,
  putGoogleCredentials,
} from './use-cases/put-credentials';
import { recordDevice } from './use-cases/record-device';

export { createWalletDeps, type WalletDeps } from './deps';
export { walletSettings } from './settings';

const MINUTE_MS = 60_000;

/** What passes are on phones: Apple and Google wallets, links, pushes and previews. */
export const walletIndexes: readonly CollectionIndexes[] = [
  contentIndexes,
  googleObjectIndexes,
  installIndexes,
  googleCallbackIndexes,
  registrationIndexes,
];

export const walletHandlers = (deps: WalletsDeps) =>
  ({
    GetApplePass: (request) => getApplePass(deps, request),
    GetGoogleLink: (request) => getGoogleLink(deps, request),
    GetPassQrCode: (request) => getQrCode(deps, request),
    GetTemplateIcon: (request) => getTemplateIcon(deps, request),
    PreviewTemplate: (request) => previewTemplate(deps, request),
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
    ExportClient: (request) => exportClient(deps, request),
    ListAttention: (request) => listAttention(deps, request),
    LogAppleErrors: (request) => logAppleErrors(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;

export const walletConsumers = (deps: WalletsDeps): ConsumerSpec[] => [
  {
    queue: 'passes.devices',
    bindings: ['passes.device_registered', 'passes.device_unregistered'],
    handle: (event) => recordDevice(deps, event as EventOf<'passes.device_registered'>),
  },
  {
    queue: 'passes.forgotten-wallets',
    bindings: ['passes.pass_deleted'],
    handle: (event) => forgetPass(deps, event as EventOf<'passes.pass_deleted'>),
  },
  {
    queue: 'passes.wallet-workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => forgetWorkspace(deps, event.workspaceid!),
  },
];

export const walletJobs = (deps: WalletsDeps): Job[] => [
  workerJob(pushWorker(deps), deps.passUpdates.due),
  resealJob({
    name: 'reseal-wallet-credentials',
    vault: deps.vault,
    logger: deps.logger,
    reseal: () => resealAll(deps.vault, deps.credentialsStore),
  }),
  resealJob({
    name: 'reseal-link-keys',
    vault: deps.vault,
    logger: deps.logger,
    reseal: () => resealAll(deps.vault, deps.linkKeys),
  }),
  { name: 'forget-retired-passes', every: MINUTE_MS, work: () => forgetRetiredPasses(deps) },
];
