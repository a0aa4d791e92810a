// Guests: people whose every text is a mark of its own, who come, change, earn, and want to be forgotten.

/** @typedef {import('./draw.mjs').Maker} Maker */

const EARNED_MAX = 40;
/** Somebody must be left who is found. */
const KEPT = 2;
/** The rest are deleted. */
const ANONYMIZED_SHARE = 0.5;

/** One who was not forgotten when we looked. @param {import('./draw.mjs').Situation} situation */
function someGuest({ random, workspace }) {
  return workspace.guests.length === 0 ? undefined : random.pick(workspace.guests);
}

/** @type {Record<string, Maker>} */
export const GUESTS = {
  /** Says something new of themselves. */
  greet: (situation) => {
    const guest = someGuest(situation);
    if (!guest) return undefined;
    const { random, tag } = situation;
    const body = {
      first_name: `${guest.canary} ${random.int(1, 9)}`,
      email: `${guest.canary}.${tag}@example.com`,
      custom_fields: { nickname: `${guest.canary} ${tag}` },
    };
    return { kind: 'greet', path: `/clients/${guest.clientId}`, method: 'PATCH', body };
  },
  visit: (situation) => {
    const guest = someGuest(situation);
    if (!guest) return undefined;
    const { random, tag } = situation;
    const body = {
      client_id: guest.clientId,
      amount: random.int(1, EARNED_MAX),
      wallet_type_code: 'points',
      description: `for ${guest.canary}`,
      metadata: { op: tag, name: guest.canary },
    };
    return { kind: 'visit', path: '/loyalty/points/earn', body, of: guest.canary };
  },
  forget: (situation) => {
    const { random, workspace } = situation;
    if (workspace.guests.length <= KEPT) return undefined;
    const [guest] = workspace.guests.splice(random.int(0, workspace.guests.length - 1), 1);
    const { clientId, canary } = /** @type {import('../scene.mjs').Guest} */ (guest);
    const path = `/clients/${clientId}`;
    return random.chance(ANONYMIZED_SHARE)
      ? { kind: 'forget', path: `${path}/anonymize`, body: {}, of: canary }
      : { kind: 'forget', path, method: 'DELETE', body: undefined, of: canary };
  },
};
