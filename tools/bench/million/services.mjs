// What the services themselves write with: the data is theirs to the last byte, not an imitation of it.
import { services as built } from '../../lib/built.mjs';

export const { connectStore, ensureIndexes } = built('packages/mongo/dist/index.js');
export const { systemContext } = built('packages/lifecycle/dist/index.js');
export const { toUnits, unitsOf, toDecimal, smaller, ZERO } = built(
  'packages/values/dist/amount.js',
);

const clients = (/** @type {string} */ file) => built(`services/clients/dist/${file}.js`);
export const { newClient } = clients('domain/client');
export const { toDocument: toClientDocument } = clients('store/mapping');
export const { searchDocument } = clients('store/search');
export const { withEvent, withTier, withWallet } = clients('domain/segments/profile-changes');
const { CONTACT_KEYS, toDocument } = clients('store/profiles');
export const toProfileDocument = toDocument;
/** @param {object} client */
export const newProfile = (client) =>
  clients('domain/segments/profile').newProfile(client, CONTACT_KEYS);
export const { createBackfillStore } = clients('store/backfills');

const ledger = (/** @type {string} */ file) => built(`services/ledger/dist/${file}.js`);
export const { earn } = ledger('domain/earn');
export const { spend } = ledger('domain/spend');
export const { settle: settleDue, nextDueAt } = ledger('domain/settle');
export const { EMPTY_WALLET } = ledger('domain/wallet');
export const { Planner } = ledger('store/planner');
export const { GENESIS_HASH, walletIdOf } = ledger('store/chain');
export const { fromLots } = ledger('store/mapping');
export const { snapshotOf } = ledger('store/wallets');
export const { externalClaim, operationIdOf } = ledger('use-cases/operation');

const tiers = (/** @type {string} */ file) => built(`services/tiers/dist/${file}.js`);
export const { count, introduce, settle: settleTier, strangerMember } = tiers('domain/member');
export const { dayOf, NOTHING } = tiers('domain/activity');
export const { programmeOf } = tiers('domain/programme');
export const { introductionOf, toDocument: toMemberDocument } = tiers('store/mapping');

/** Every collection of the services that are filled, with its indexes. */
export const DECLARED = {
  clients: clients('collections').collections,
  ledger: ledger('collections').collections,
  tiers: tiers('collections').collections,
};
