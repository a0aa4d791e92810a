// Friends of friends: every member has a code to pass on. (Entering one belongs to enrolling with a pass.)
import { startBar } from '../progress.mjs';

const ASKING = 25;

/** @type {import('./index.mjs').Chapter} */
export const referrals = {
  title: 'A code for whoever brings a friend',
  async play(story) {
    const { laurel, members } = story;
    await laurel.referrals.setProgram({
      enabled: true,
      completion_criteria: 'first_transaction',
      pending_expiry_days: 90,
      max_referrals_per_referrer: 10,
    });
    const asking = members.slice(0, ASKING);
    const bar = startBar('Referral codes', asking.length);
    const codes = new Set();
    for (const { id } of asking) {
      codes.add((await laurel.referrals.getForClient(id)).code);
      bar.add();
    }
    bar.end();
    story.summary.push(['Referral codes', `${codes.size} asked for, no two alike`]);
    if (codes.size !== asking.length) story.problems.push('two members have one referral code');
  },
};
