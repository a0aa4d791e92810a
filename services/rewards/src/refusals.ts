import { catalogue, type DefinedRefusal, defineTransientRefusal, platform } from '@laurel/errors';

/** Why a reward is not to be had, in order of precedence (part 3, section 6, and what portal and app add). */
export const REASONS = {
  inactive: 'the reward is not active',
  not_started: 'the reward is not available yet',
  ended: 'the reward is no longer available',
  not_purchasable: 'the reward cannot be bought with points',
  tier_locked: 'the reward is for other tiers',
  segment_locked: 'the reward is for other clients',
  usage_limit_reached: 'the reward has been redeemed as often as it may be',
  client_limit_reached: 'the client has redeemed the reward as often as one client may',
  client_not_active: 'the client is not active',
  wallet_type_inactive: 'the wallet type of the reward is not active',
  insufficient_points: 'the client has too few points',
  out_of_coupons: 'the reward is out of coupons',
} as const;

export type Reason = keyof typeof REASONS;

const notToBeHad = Object.fromEntries(
  Object.entries(REASONS).map(([reason, message]) => [
    reason,
    platform.invalidPayload.says(message),
  ]),
) as Record<Reason, DefinedRefusal>;

/** Every way this domain says no, besides the platform's own. */
export const refusals = catalogue({
  ...notToBeHad,
  rewardNotFound: platform.recordNotFound.says('the reward does not exist'),
  unknownClient: platform.invalidPayload.says('there is no such client in the workspace', {
    field: 'client_id',
  }),
  unknownReward: platform.invalidPayload.says('there is no such reward in the workspace', {
    field: 'reward_id',
  }),
  redemptionNotFound: platform.invalidPayload.says('redemption not found'),
  rewardRedeemed: platform.conflict.says(
    'the reward has been redeemed: set active to false instead of deleting it',
  ),
  rewardChanged: defineTransientRefusal(
    'CONFLICT',
    409,
    'others are changing the reward at this moment: try again',
  ).says('others are changing the reward at this moment: try again', { retryAfterSeconds: 1 }),
  cancelled: platform.invalidPayload.says('the redemption is already cancelled'),
  redemptionCancelled: platform.conflict.says(
    'the redemption is cancelled, so that it cannot be used any more',
  ),
  stillRunning: platform.serviceUnavailable.says(
    'the same redemption is still being worked on: try again in a moment',
  ),
  keyTaken: platform.conflict.says('another reward of the workspace has this key'),
  keyGiven: platform.conflict.says(
    'the reward already has a key, by which files know it: send If-Match to give it another one',
  ),
});
