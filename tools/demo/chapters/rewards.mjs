// At the end of the year there are mugs: fifty of them, each with a number, for those who have the beans.
import { isLaurelError } from '@laurel/client';
import { startBar } from '../progress.mjs';

/** @typedef {import('./index.mjs').Story} Story */

const UNITS_PER_BEAN = 10_000;
const MUGS = 50;
const COST = 40;
/** So many more want one than there are. */
const TOO_MANY = 10;
/** Somebody's mug was chipped. */
const RETURNED = 3;

/** @type {import('./index.mjs').Chapter} */
export const rewards = {
  title: 'Fifty numbered mugs for beans',
  async play(story) {
    const { laurel, members } = story;
    const types = await laurel.walletTypes.list();
    const mug = await laurel.rewards.create({
      name: 'Numbered mug',
      cost_in_points: COST,
      wallet_type_id: types[0].id,
      code_pattern: null,
    });
    const codes = Array.from({ length: MUGS }, (_, at) => `MUG-${String(at + 1).padStart(4, '0')}`);
    await laurel.coupons.importForReward(mug.id, { codes });
    const wanting = members
      .filter(({ balance }) => balance >= COST * UNITS_PER_BEAN)
      .slice(0, MUGS + TOO_MANY);
    const { given, refused } = await handOut(story, mug.id, wanting);
    const back = given.splice(0, Math.min(RETURNED, given.length));
    for (const { member, id } of back) {
      await laurel.rewards.cancelRedemption(id, {});
      move(story, member, COST);
    }
    await compare(story, mug.id, given.length, wanting.length, refused);
  },
};

/**
 * @param {Story} story
 * @param {string} reward_id
 * @param {import('./index.mjs').Member[]} wanting
 */
async function handOut(story, reward_id, wanting) {
  const bar = startBar('Mugs', wanting.length);
  /** @type {{ member: import('./index.mjs').Member, id: string }[]} */
  const given = [];
  let refused = 0;
  // One after the other, as people stand in a queue: of two who reach for the last mug at once, one would pay and have
  // the beans back in the same second, which is two entries more than this story counts.
  for (const member of wanting) {
    const id = await redeem(story, { reward_id, client_id: member.id });
    if (id) {
      given.push({ member, id });
      move(story, member, -COST);
    } else refused += 1;
    bar.add();
  }
  bar.end();
  return { given, refused };
}

/**
 * @param {Story} story
 * @param {{ reward_id: string, client_id: string }} wish
 * @returns {Promise<string | undefined>} the redemption; undefined where the last one is gone
 */
async function redeem({ laurel }, wish) {
  try {
    const done = await laurel.rewards.redeem(wish);
    return 'redemption' in done ? done.redemption.id : undefined;
  } catch (error) {
    if (isLaurelError(error) && error.reason === 'out_of_coupons') return undefined;
    throw error;
  }
}

/** @param {Story} story @param {import('./index.mjs').Member} member @param {number} beans */
function move(story, member, beans) {
  member.balance += beans * UNITS_PER_BEAN;
  // What is given back was spent all the same, in the books.
  if (beans < 0) story.figures.spent -= beans * UNITS_PER_BEAN;
  story.entries += 1;
}

/**
 * @param {Story} story
 * @param {string} rewardId
 * @param {number} kept
 * @param {number} wanted
 * @param {number} refused
 */
async function compare(story, rewardId, kept, wanted, refused) {
  const stats = await story.laurel.rewards.getStats(rewardId);
  story.summary.push([
    'Mugs',
    `${stats.redeemed - stats.cancelled} given out, ${refused} came too late, ${stats.cancelled} returned`,
  ]);
  if (stats.redeemed - stats.cancelled !== kept || refused !== Math.max(0, wanted - MUGS))
    story.problems.push(`mugs: ${kept} were kept and ${refused} refused: ${JSON.stringify(stats)}`);
}
