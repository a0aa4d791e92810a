import type { Backend } from '@laurel/backend';
import type { Connection } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';
import type { settings } from '../config';
import type { CoreDeps } from '../core/deps';
import { createReceiptReader, type ReceiptReader } from './receipts/receipt-reader';
import { createMobileAppStore } from './store/mobile-apps';
import { createStaffOperationStore } from './store/staff-operations';

export function createMobileStores(connection: Connection) {
  return {
    mobileApps: createMobileAppStore(connection),
    staffOperations: createStaffOperationStore(connection),
  };
}

/** What the staff app has beyond the core: its own store, and the services that it reads from and acts through. */
export type MobileDeps = ReturnType<typeof createMobileStores> & {
  receiptReader: Pick<ReceiptReader, 'read'>;
  identity: Pick<RpcClient<'identity'>, 'GetSettings' | 'ListRoles' | 'PutMobileAppAccess'>;
  clients: Pick<
    RpcClient<'clients'>,
    | 'CreateClient'
    | 'GetClients'
    | 'GetEvent'
    | 'ListEvents'
    | 'ListFields'
    | 'RecordTrail'
    | 'SearchClients'
    | 'UpdateClient'
  >;
  ledger: Pick<
    RpcClient<'ledger'>,
    'CancelEntry' | 'EarnPoints' | 'GetBalances' | 'ListEntries' | 'ListWalletTypes' | 'SpendPoints'
  >;
  tiers: Pick<RpcClient<'tiers'>, 'AssignTier' | 'GetClientTier' | 'GetTiers' | 'ListTiers'>;
  rewards: Pick<
    RpcClient<'rewards'>,
    | 'CancelRedemption'
    | 'GiveReward'
    | 'ListClientRewards'
    | 'ListRedemptions'
    | 'ListRewards'
    | 'RedeemReward'
    | 'UseRedemption'
    | 'ValidateCoupon'
  >;
};

/** What use cases of this part are given; each names the part it needs. */
export type Deps = CoreDeps & MobileDeps;

export function createMobileDeps(
  connection: Connection,
  { config, client, lifecycle }: Backend<typeof settings>,
) {
  const receiptReader = createReceiptReader({
    waitingMax: config.receiptWaitingMax,
    readMsMax: config.receiptMsMax,
    idleMs: config.receiptIdleMs,
  });
  lifecycle.onStop('receipt reader', async () => receiptReader.stop());
  return {
    ...createMobileStores(connection),
    receiptReader,
    identity: client('identity', config.identityTarget),
    clients: client('clients', config.clientsTarget),
    ledger: client('ledger', config.ledgerTarget),
    tiers: client('tiers', config.tiersTarget),
    rewards: client('rewards', config.rewardsTarget),
  };
}
