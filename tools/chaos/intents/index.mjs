// What the load asks for: one random operation after the other, from a seed and from what earlier ones came to.
import { CAMPAIGNS } from './campaigns.mjs';
import { DOORS } from './doors.mjs';
import { GUESTS } from './guests.mjs';
import { LETTERS } from './letters.mjs';
import { PEOPLE } from './people.mjs';
import { POINTS } from './points.mjs';
import { REWARDS } from './rewards.mjs';
import { SHOPPING } from './shopping.mjs';

/** @typedef {import('./draw.mjs').Intent} Intent */
/** @typedef {import('./draw.mjs').Situation} Situation */

/** Out of 216. */
const KINDS = {
  earn: 30,
  spend: 16,
  adjust: 7,
  transfer: 7,
  lock: 11,
  capture: 10,
  release: 6,
  cancel: 5,
  purchase: 4,
  refund: 3,
  batch: 5,
  client: 4,
  merge: 3,
  redeem: 14,
  unredeem: 4,
  use: 4,
  import: 1,
  code: 2,
  refer: 4,
  complete: 1,
  unrefer: 1,
  buy: 4,
  sell: 8,
  return: 6,
  greet: 5,
  visit: 5,
  forget: 2,
  launch: 1,
  redesign: 1,
  spin: 8,
  deliver: 8,
  enrol: 4,
  claim: 4,
  serve: 8,
  unserve: 6,
  invite: 2,
  text: 2,
};
const MAKERS = {
  ...POINTS,
  ...REWARDS,
  ...PEOPLE,
  ...SHOPPING,
  ...GUESTS,
  ...CAMPAIGNS,
  ...DOORS,
  ...LETTERS,
};

/** Kinds that were asked for less often get a share of their own, so that a minute has something of each. */
const RARE = { times: 3, share: 0.3 };

/**
 * @param {Situation} situation
 * @returns {Intent}
 */
export function nextIntent(situation) {
  for (;;) {
    const kind = nextKind(situation);
    const intent = MAKERS[kind]?.(situation);
    if (!intent) continue;
    situation.tally.set(kind, timesOf(situation, kind) + 1);
    return intent;
  }
}

/** @param {Situation} situation */
function nextKind(situation) {
  const { random } = situation;
  const rare = Object.keys(KINDS).filter((kind) => timesOf(situation, kind) < RARE.times);
  return rare.length > 0 && random.chance(RARE.share) ? random.pick(rare) : random.weighted(KINDS);
}

/** @param {Pick<Situation, 'tally'>} situation @param {string} kind */
const timesOf = ({ tally }, kind) => tally.get(kind) ?? 0;
