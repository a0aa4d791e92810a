// The chain's own server has heard of every bean.
import { startBar } from '../progress.mjs';

const QUIET_MS = 20_000;

/** @type {import('./index.mjs').Chapter} */
export const listening = {
  title: 'The till server hears of everything',
  async play(story) {
    const { receiver, entries, members } = story;
    // One event for each entry of the ledger, and at least the creation of each client.
    const expected = entries + members.length;
    const bar = startBar('Webhooks, signed', expected);
    await receiver.until(expected, QUIET_MS, (more) => bar.add(more));
    bar.end();
    const { arrived, forged, copies, byType } = receiver.counts();
    const moved = [...byType].filter(([type]) => type.startsWith('loyalty.points_'));
    const heard = moved.reduce((sum, [, count]) => sum + count, 0);
    if (heard !== entries) story.problems.push(`${heard} of ${entries} entries reached the till`);
    if (forged > 0) story.problems.push(`${forged} webhooks had a bad signature`);
    story.summary.push([
      'Webhooks',
      `${arrived} arrived, every signature good${copies > 0 ? `, ${copies} twice` : ''}`,
    ]);
  },
};
