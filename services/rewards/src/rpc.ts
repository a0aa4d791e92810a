import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { aggregateRedemptions } from './use-cases/aggregate-redemptions';
import { cancelRedemption } from './use-cases/cancel-redemption';
import { countDailyRedemptions } from './use-cases/count-daily-redemptions';
import { createReward } from './use-cases/create-reward';
import { deleteReward } from './use-cases/delete-reward';
import { duplicateReward } from './use-cases/duplicate-reward';
import { exportClient } from './use-cases/export-client';
import { getRedemption } from './use-cases/get-redemption';
import { getReward } from './use-cases/get-reward';
import { getRewardStats } from './use-cases/get-reward-stats';
import { getRewards } from './use-cases/get-rewards';
import { giveReward } from './use-cases/give-reward';
import { giveRewards } from './use-cases/give-rewards';
import { importCoupons } from './use-cases/import-coupons';
import { listAttention } from './use-cases/list-attention';
import { getClientReward, listClientRewards } from './use-cases/list-client-rewards';
import { listCoupons } from './use-cases/list-coupons';
import { listRedemptions } from './use-cases/list-redemptions';
import { listRewards } from './use-cases/list-rewards';
import { listTopRewards } from './use-cases/list-top-rewards';
import { measureRewards } from './use-cases/measure-rewards';
import { measureSupplies } from './use-cases/measure-supplies';
import { previewRedemption } from './use-cases/preview-redemption';
import { quoteGift } from './use-cases/quote-gift';
import { quoteRedemption } from './use-cases/quote-redemption';
import { redeemReward } from './use-cases/redeem-reward';
import { search } from './use-cases/search';
import { updateReward } from './use-cases/update-reward';
import { useRedemption } from './use-cases/use-redemption';
import { validateCoupon } from './use-cases/validate-coupon';

/** rpc -> use case. */
export const rpcHandlers = (deps: Deps): Handlers<'rewards'> => ({
  CreateReward: (request) => createReward(deps, request),
  DuplicateReward: (request) => duplicateReward(deps, request),
  GetReward: (request) => getReward(deps, request),
  GetRewards: (request) => getRewards(deps, request),
  MeasureSupplies: (request) => measureSupplies(deps, request),
  UpdateReward: (request) => updateReward(deps, request),
  DeleteReward: (request) => deleteReward(deps, request),
  ListRewards: (request) => listRewards(deps, request),
  MeasureRewards: (request) => measureRewards(deps, request),
  GetRewardStats: (request) => getRewardStats(deps, request),
  GetClientReward: (request) => getClientReward(deps, request),
  ListClientRewards: (request) => listClientRewards(deps, request),
  ImportCoupons: (request) => importCoupons(deps, request),
  ListCoupons: (request) => listCoupons(deps, request),
  ValidateCoupon: (request) => validateCoupon(deps, request),
  RedeemReward: (request) => redeemReward(deps, request),
  PreviewRedemption: (request) => previewRedemption(deps, request),
  QuoteRedemption: (request) => quoteRedemption(deps, request),
  QuoteGift: (request) => quoteGift(deps, request),
  GiveReward: (request) => giveReward(deps, request),
  GiveRewards: (request) => giveRewards(deps, request),
  ListRedemptions: (request) => listRedemptions(deps, request),
  GetRedemption: (request) => getRedemption(deps, request),
  UseRedemption: (request) => useRedemption(deps, request),
  CancelRedemption: (request) => cancelRedemption(deps, request),
  ListTopRewards: (request) => listTopRewards(deps, request),
  AggregateRedemptions: (request) => aggregateRedemptions(deps, request),
  CountDailyRedemptions: (request) => countDailyRedemptions(deps, request),
  Search: (request) => search(deps, request),
  ListAttention: (request) => listAttention(deps, request),
  ExportClient: (request) => exportClient(deps, request),
});
