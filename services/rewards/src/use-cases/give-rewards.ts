import { Refusal } from '@laurel/errors';
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
  const given: api.GivenReward[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < gifts.length) {
      const at = next;
      next += 1;
      given[at] = await give(deps, { ...gift, ...gifts[at]! });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, gifts.length) }, worker));
  return { given };
}

async function give(deps: Deps, gift: api.GiveRewardRequest): Promise<api.GivenReward> {
  const { client_id } = gift;
  try {
    const { redemption } = await giveReward(deps, gift);
    return { client_id, redemption_id: redemption!.id };
  } catch (error) {
    if (!(error instanceof Refusal) || error.httpStatus >= 500 || error.httpStatus === 429)
      throw error;
    return { client_id, refusal: error.message };
  }
}
