// The chain's own server has heard of every bean.
import { startBar } from '../progress.mjs';

const QUIET_MS = 20_000;

/** @type {import('./index.mjs').Chapter} */
export const listening = {
  title: 'The till server hears of everything',
  async play(story) {
    const { receiver, entries, members } = story;
    for (const [what, prefix, count] of /** @type {const} */ ([
      ['Webhooks of members', 'client.created', members.length],
      ['Webhooks of beans', 'loyalty.points_', entries],
    ])) {
      const bar = startBar(what, count);
      await receiver.until(prefix, { count, quietMs: QUIET_MS, onMore: (more) => bar.add(more) });
      bar.end();
      const heard = receiver.heardOf(prefix);
      if (heard !== count) story.problems.push(`${heard} of ${count} ${prefix}* reached the till`);
    }
    const { arrived, forged, copies } = receiver.counts();
    if (forged > 0) story.problems.push(`${forged} webhooks had a bad signature`);
    story.summary.push([
      'Webhooks',
      `${arrived} arrived, ${forged === 0 ? 'every signature good' : `${forged} forged`}${copies > 0 ? `, ${copies} twice` : ''}`,
    ]);
  },
};
