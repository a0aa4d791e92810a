import { isFinalRefusal } from '@laurel/errors';
import { mapAtOnce } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { giveReward } from './give-reward';

/** Gifts under way at once: they share what they write, and those of people who redeem go between them. */
const AT_ONCE = 25;

/**
 * Gives a reward to many clients. Each gift is an attempt of its own, under its own operation: what is refused to one is
 * given to the others. Throws where one could be neither given nor refused; those that were given are not given again.
 */
export async function giveRewards(
  deps: Deps,
  { gifts, ...gift }: api.GiveRewardsRequest,
): Promise<api.GivenRewards> {
  return { given: await mapAtOnce(gifts, AT_ONCE, (own) => give(deps, { ...gift, ...own })) };
}

async function give(deps: Deps, gift: api.GiveRewardRequest): Promise<api.GivenReward> {
  const { client_id } = gift;
  try {
    const { redemption } = await giveReward(deps, gift);
    return { client_id, redemption_id: redemption!.id };
  } catch (error) {
    if (!isFinalRefusal(error)) throw error;
    return { client_id, refusal: error.message };
  }
}
