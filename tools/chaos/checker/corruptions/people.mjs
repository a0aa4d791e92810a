// Harm to merges, referrals and tiers.
import { any, change, drop, fromSource, ofKind, twice } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */
/** @typedef {import('../world.mjs').Referral} Referral */

/** @param {Referral} referral */
const isCompleted = ({ status }) => status === 'completed';
/** @param {Referral} referral */
const isAuto = (referral) => isCompleted(referral) && referral.qualifying_event_type !== 'manual';
/** @param {import('../world.mjs').Member} member */
const isTiered = ({ tier }) => tier !== null;

/** As many completed referrals of one referrer as no cap allows. @param {World} world */
function exceedCap(world) {
  const one = world.referrals.find(isAuto);
  if (!one) return null;
  const many = Array.from({ length: 100 }, (_, number) => ({
    ...one,
    _id: `${one._id}-${number}`,
    referee_client_id: `referee-${number}`,
  }));
  return { referrals: [...world.referrals, ...many], outbox: world.outbox };
}

/** @param {World} world */
function unask({ history, tombstones }) {
  const merged = new Set(tombstones.flatMap(({ _id, merged_into }) => (merged_into ? [_id] : [])));
  /** @param {import('../world.mjs').Operation} operation */
  const isMerge = ({ kind, body }) => kind === 'merge' && merged.has(body.source_client_id);
  // A short run may have asked for merges of which none took place.
  if (!history.some(isMerge)) return null;
  return { history: history.filter((operation) => !isMerge(operation)) };
}

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const PEOPLE = [
  {
    name: 'points are lost in a merge',
    caughtBy: 'L14',
    plant: change('entries', fromSource('merge'), (entry) => ({
      ...entry,
      change: { ...entry.change, earned: entry.change.earned + 1 },
    })),
  },
  {
    name: 'half of a merge is lost',
    caughtBy: 'L14',
    plant: drop(
      'entries',
      (entry) => entry.source_type === 'merge' && entry.type === 'transfer_in',
    ),
  },
  {
    name: 'a merge leaves something behind',
    caughtBy: 'L14',
    plant: change(
      'entries',
      (entry) =>
        entry.source_type === 'merge' && entry.type === 'transfer_out' && Boolean(entry.closing),
      (entry) => ({ ...entry, after: { ...entry.after, locked: 1 } }),
    ),
  },
  {
    name: 'a merged wallet is written to',
    caughtBy: 'L14',
    plant: change(
      'entries',
      ({ closing }) => Boolean(closing),
      (entry) => [
        entry,
        {
          ...entry,
          _id: 'late',
          sequence: entry.sequence + 1,
          closing: null,
          source_type: 'manual',
        },
      ],
    ),
  },
  {
    name: 'a merged wallet still holds points',
    caughtBy: 'L14',
    plant: (world) =>
      change(
        'wallets',
        ({ client_id }) =>
          world.tombstones.some(({ _id, kind }) => _id === client_id && kind === 'merged'),
        (wallet) => ({ ...wallet, figures: { ...wallet.figures, active: 1 } }),
      )(world),
  },
  {
    name: 'an acknowledged merge never happened',
    caughtBy: 'H9',
    plant: (world) =>
      drop('tombstones', ({ _id }) =>
        world.history.some(
          ({ kind, outcome, body }) =>
            kind === 'merge' && outcome === 'ok' && body.source_client_id === _id,
        ),
      )(world),
  },
  {
    name: 'a client is merged that nobody asked for',
    caughtBy: 'H9',
    plant: unask,
  },
  {
    name: 'a merge is told twice',
    caughtBy: 'H9',
    plant: twice('outbox', ({ type }) => type === 'clients.merged'),
  },
  {
    name: 'a created client is lost',
    caughtBy: 'H7',
    plant: (world) =>
      change(
        'history',
        (one) => ofKind('client')(one) && one.told?.id !== undefined,
        (one) => ({ ...one, told: { id: 'lost' } }),
      )(world),
  },
  {
    name: 'a purchase is recorded twice',
    caughtBy: 'H10',
    plant: twice('trail', ({ external_id }, { history }) =>
      history.some(
        ({ kind, body }) => ['buy', 'sell'].includes(kind) && body.external_id === external_id,
      ),
    ),
  },
  {
    name: 'an acknowledged purchase is lost',
    caughtBy: 'H10',
    plant: (world) =>
      drop('trail', ({ external_id }) =>
        world.history.some(
          ({ kind, outcome, body }) =>
            kind === 'buy' && outcome === 'ok' && body.external_id === external_id,
        ),
      )(world),
  },
  {
    name: 'a client is shown the code of another',
    caughtBy: 'H10',
    plant: change('history', ofKind('code'), (one) => ({ ...one, told: { code: 'ANOTHER' } })),
  },
  {
    name: 'an acknowledged referral is lost',
    caughtBy: 'H10',
    plant: (world) =>
      drop('referrals', ({ _id }) => world.history.some(({ told }) => told?.referral_id === _id))(
        world,
      ),
  },
  {
    name: 'a cancelled referral comes back',
    caughtBy: 'H10',
    plant: (world) =>
      change(
        'referrals',
        ({ _id }) => world.history.some((one) => ofKind('unrefer')(one) && one.of === _id),
        (row) => ({ ...row, status: 'pending' }),
      )(world),
  },
  {
    name: 'a client is brought twice',
    caughtBy: 'R5',
    plant: change(
      'referrals',
      ({ status }) => status !== 'cancelled',
      (row) => [row, { ...row, _id: `${row._id}-again` }],
    ),
  },
  {
    name: 'somebody brings themselves',
    caughtBy: 'R5',
    plant: change(
      'referrals',
      () => true,
      (row) => ({ ...row, referee_client_id: row.referrer_client_id }),
    ),
  },
  { name: 'a referrer goes past the cap', caughtBy: 'R5', plant: exceedCap },
  {
    name: 'a completed referral is not counted',
    caughtBy: 'R5',
    plant: change(
      'people',
      ({ completed }) => completed > 0,
      (row) => ({ ...row, completed: 0 }),
    ),
  },
  {
    name: 'a completion is told to one side only',
    caughtBy: 'R5',
    plant: drop('outbox', ({ type }) => type === 'referrals.referral_completed'),
  },
  {
    name: 'a completion is told twice',
    caughtBy: 'R5',
    plant: twice('outbox', ({ type }) => type === 'referrals.referral_completed'),
  },
  {
    name: 'an earn is counted twice towards a tier',
    caughtBy: 'T4',
    plant: change(
      'members',
      ({ state, lifetime }) => state === 'alive' && lifetime.earned.points > 0,
      (row) => ({
        ...row,
        lifetime: {
          ...row.lifetime,
          earned: { ...row.lifetime.earned, points: row.lifetime.earned.points + 10_000 },
        },
      }),
    ),
  },
  {
    name: 'a client is in no tier',
    caughtBy: 'T4',
    plant: change('members', isTiered, (row) => ({ ...row, tier: null })),
  },
  {
    name: 'a purchase is not counted towards a tier',
    caughtBy: 'T4',
    plant: change(
      'members',
      ({ state, lifetime }) => state === 'alive' && lifetime.transactions > 0,
      (row) => ({ ...row, lifetime: { ...row.lifetime, transactions: 0 } }),
    ),
  },
  {
    name: 'nobody is told of a promotion',
    caughtBy: 'T4',
    plant: drop('outbox', ({ type }) => type === 'tiers.tier_promoted'),
  },
  {
    name: 'a promotion is missing from the history',
    caughtBy: 'T4',
    plant: drop('moves', any),
  },
  {
    name: 'a client is unknown to tiers',
    caughtBy: 'T4',
    plant: (world) =>
      drop('members', ({ _id }) => world.clients.some((client) => client._id === _id))(world),
  },
  {
    name: 'a purchase is counted twice',
    caughtBy: 'T4',
    plant: change(
      'metrics',
      () => true,
      (row) => ({ ...row, transaction_count: row.transaction_count + 1 }),
    ),
  },
];
