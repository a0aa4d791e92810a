import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import { type Connection, createDepartures } from '@laurel/mongo';
import type { ReferenceDirectory, RpcClient, SegmentDirectory } from '@laurel/rpc';
import { collections } from './collections';
import type { Pick as PickNumber } from './domain/pattern';
import { createAttemptStore } from './store/attempts';
import { createCouponStore } from './store/coupons';
import { createDailyRedemptionStore } from './store/daily-redemptions';
import { createRedemptionStore } from './store/redemptions';
import { createRewardStore } from './store/rewards';
import { createUsageStore } from './store/usages';

/** The stores of this service, made once over its own database. */
export function createStores(connection: Connection) {
  const redemptions = createRedemptionStore(connection);
  return {
    connection,
    collections,
    attempts: createAttemptStore(connection),
    coupons: createCouponStore(connection),
    departures: createDepartures(connection),
    dailyRedemptions: createDailyRedemptionStore(connection, redemptions),
    redemptions,
    rewards: createRewardStore(connection),
    usages: createUsageStore(connection),
  };
}

export interface Clock {
  now(): Date;
}

/** The tiers of a workspace and who is in which, as far as rewards need it. */
export interface TierDirectory {
  /** Those of the ids that name no tier of the workspace. */
  unknownAmong(workspaceId: string, tierIds: readonly string[]): Promise<string[]>;
  /** The client's tier now; null without one. */
  tierOf(workspaceId: string, clientId: string): Promise<string | null>;
}

export type Ledger = Pick<
  RpcClient<'ledger'>,
  'QuoteSpend' | 'SpendPoints' | 'RefundSpend' | 'GetBalances' | 'GetWalletType'
>;
export type Clients = Pick<RpcClient<'clients'>, 'GetClientStanding' | 'GetClients'>;

/** What use cases are given; each names the part it needs. */
export type Deps = ReturnType<typeof createStores> & {
  outbox: Pick<Outbox, 'append'>;
  clock: Clock;
  logger: Logger;
  ledger: Ledger;
  clients: Clients;
  tiers: TierDirectory;
  segments: SegmentDirectory;
  references: ReferenceDirectory;
  /** Cryptographic, but for tests. */
  pickNumber: PickNumber;
  /** After how long without progress work on a redemption is taken over. */
  abandonedMs: number;
  /** How long a failed attempt is remembered, to undo once more what its steps did late. */
  rememberedMs: number;
};
