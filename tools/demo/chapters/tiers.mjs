// Who comes often climbs: three tiers by beans earned, from nothing to a seat by the window.
import { setTimeout as pause } from 'node:timers/promises';

/** @typedef {import('./index.mjs').Story} Story */

const UNITS_PER_BEAN = 10_000;
/** From the lowest up; `from` in beans earned, ever. */
const TIERS = [
  { name: 'Cup', from: 0, color: '#A67B5B' },
  { name: 'Pot', from: 60, color: '#8D9093' },
  { name: 'Roaster', from: 120, color: '#C9A227' },
];
const LOOK_EVERY_MS = 1_000;
/** Promotion follows within seconds of the last earn; a year's backlog may take a while on a small machine. */
const PATIENCE_MS = 120_000;

/** @type {import('./index.mjs').Chapter} */
export const tiers = {
  title: 'Three tiers to climb',
  async play({ laurel }) {
    await laurel.tiers.createSet({
      name: 'Regulars',
      conditions: [{ type: 'total_earned', wallet_type_code: 'beans' }],
    });
    for (const [sort_order, { name, from, color }] of TIERS.entries()) {
      const condition_values = from === 0 ? {} : { total_earned: from };
      await laurel.tiers.create({ name, sort_order, color, condition_values });
    }
  },
};

/** @type {import('./index.mjs').Chapter} */
export const climbed = {
  title: 'Who has climbed how far',
  async play(story) {
    const expected = TIERS.map(() => 0);
    for (const { earned } of story.members) {
      const tier = TIERS.findLastIndex(({ from }) => earned >= from * UNITS_PER_BEAN);
      expected[tier] = Number(expected[tier]) + 1;
    }
    const counts = await untilCounted(story, expected);
    const told = TIERS.map(({ name }, tier) => `${counts[tier]} ${name}`).join(', ');
    story.summary.push(['Tiers', told]);
    if (String(counts) !== String(expected))
      story.problems.push(`tiers: ${expected} were due, the platform says ${counts}`);
  },
};

/**
 * What the platform counts, once it is what was expected or does not become so.
 *
 * @param {Story} story
 * @param {number[]} expected
 */
async function untilCounted({ laurel }, expected) {
  const tiersThere = await laurel.tiers.list();
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const members = await laurel.tiers.countClients();
    const counts = TIERS.map(
      ({ name }) => members[tiersThere.find((tier) => tier.name === name)?.id ?? ''] ?? 0,
    );
    if (String(counts) === String(expected) || waitedMs >= PATIENCE_MS) return counts;
    await pause(LOOK_EVERY_MS);
  }
}
