// K1, K2, C1: what phones and Google show in the end, and what campaigns gave.
import { finding, groupBy, unitsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */

const WALLET = 'points';

/** The number that a card shows, in units. @param {any} document @returns {number | null} */
function shownUnits(document) {
  const [field] = document.storeCard?.headerFields ?? document.generic?.headerFields ?? [];
  return unitsIn(field?.value);
}

/** @param {unknown} text @returns {number | null} */
function unitsIn(text) {
  const number = Number(String(text).replaceAll(',', ''));
  return Number.isFinite(number) ? unitsOf(number) : null;
}

/**
 * K1: a phone that asks when it is pushed, and only then, shows in the end what is in the wallet.
 *
 * @param {World} world
 */
export function phonesShowTheTruth(world) {
  const found = finding();
  const wallets = pointsByClient(world);
  for (const { passId, clientId, document, pushes } of world.phones) {
    if (document.voided === true) continue;
    const shown = shownUnits(document);
    const truth = wallets.get(clientId) ?? 0;
    found.must(
      shown === truth,
      () =>
        `after ${pushes} pushes the card ${passId} of client ${clientId} shows ${shown} units, they have ${truth}`,
    );
  }
  return found;
}

/**
 * K2: Google has in the end what is in the wallet of each card that is saved there.
 *
 * @param {World} world
 */
export function googleShowsTheTruth(world) {
  const found = finding();
  const wallets = pointsByClient(world);
  for (const { passId, clientId, object } of world.saved) {
    if (object.state !== 'ACTIVE') continue;
    const shown = unitsIn(object.loyaltyPoints?.balance.string);
    const truth = wallets.get(clientId) ?? 0;
    found.must(
      shown === truth,
      () =>
        `Google shows ${shown} units on card ${passId} of client ${clientId}, they have ${truth}`,
    );
  }
  return found;
}

/** @param {World} world @returns {Map<string, number>} units */
const pointsByClient = (world) =>
  new Map(
    world.wallets
      .filter((wallet) => codeOf(world, wallet) === WALLET)
      .map((wallet) => [wallet.client_id, wallet.figures.active]),
  );

/** @param {World} world @param {import('./world.mjs').Wallet} wallet */
const codeOf = ({ walletTypes }, { wallet_type_id }) =>
  walletTypes.find(({ _id }) => _id === wallet_type_id)?.code;

/**
 * C1: a campaign that was launched gave its reward to everybody of its audience, once; one that was not gave nothing.
 *
 * @param {World} world
 */
export function campaignsReachEachOnce(world) {
  const found = finding();
  const launches = groupBy(
    world.history.filter(({ kind }) => kind === 'launch'),
    ({ of }) => String(of),
  );
  for (const { id, rewardId, clientIds } of world.campaigns) {
    const asked = launches.get(id) ?? [];
    const given = groupBy(
      world.redemptions.filter(
        ({ reward_id, source }) => reward_id === rewardId && source === 'campaign',
      ),
      ({ client_id }) => client_id,
    );
    const isOn = asked.some(({ outcome }) => outcome === 'ok') || given.size > 0;
    if (given.size > 0)
      found.must(
        asked.some(({ outcome }) => outcome !== 'fail'),
        () => `campaign ${id} gives and nobody launched it`,
      );
    for (const clientId of clientIds) {
      const count = given.get(clientId)?.length ?? 0;
      found.must(
        count === (isOn ? 1 : 0),
        () => `campaign ${id} gave its reward to client ${clientId} ${count} times`,
      );
    }
    for (const clientId of given.keys())
      found.must(
        clientIds.includes(clientId),
        () => `campaign ${id} gave to ${clientId}, a stranger`,
      );
  }
  return found;
}
