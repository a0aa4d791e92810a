// Harm to balances, sequences, hashes and limits.
import { logsOf } from '../world.mjs';
import { any, change, drop, fromSource, isInside, isLast, moves, ofType, takes } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */

/** Two neighbours of one log change places. @param {World} world */
function swapNeighbours(world) {
  for (const [first, second] of logsOf(world).values()) {
    if (!first || !second) continue;
    const swapped = new Map([
      [first, { ...first, sequence: second.sequence }],
      [second, { ...second, sequence: first.sequence }],
    ]);
    return { entries: world.entries.map((entry) => swapped.get(entry) ?? entry) };
  }
  return null;
}

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const BALANCES = [
  {
    name: 'points appear in a balance',
    caughtBy: 'L1',
    plant: change('wallets', any, (wallet) => ({
      ...wallet,
      figures: { ...wallet.figures, active: wallet.figures.active + 10_000 },
    })),
  },
  {
    name: 'the last entry of a log is lost',
    caughtBy: 'L1',
    plant: drop('entries', (entry, world) => moves(entry) && isLast(entry, world)),
  },
  {
    name: 'a wallet has points and no log',
    caughtBy: 'L1',
    plant: change('wallets', any, (wallet) => [wallet, { ...wallet, _id: 'from-nowhere' }]),
  },
  {
    name: 'the rest of a lot is off by one',
    caughtBy: 'L2',
    plant: change(
      'wallets',
      ({ lots }) => lots?.length > 0,
      (wallet) => ({
        ...wallet,
        lots: [
          { ...wallet.lots[0], remaining: wallet.lots[0].remaining + 1 },
          ...wallet.lots.slice(1),
        ],
      }),
    ),
  },
  {
    name: 'a wallet forgets its lots',
    caughtBy: 'L2',
    plant: change('wallets', any, (wallet) => ({ ...wallet, lots: null })),
  },
  {
    name: 'a credit makes no lot',
    caughtBy: 'L2',
    plant: change(
      'entries',
      (entry) => entry.type === 'earn' && entry.lots.length > 0,
      (entry) => ({ ...entry, lots: [] }),
    ),
  },
  {
    name: 'a hold is not given back',
    caughtBy: 'L2',
    plant: change('entries', fromSource('release'), (entry) => ({ ...entry, holds: [] })),
  },
  { name: 'two neighbours change places', caughtBy: 'L3', plant: swapNeighbours },
  { name: 'an entry inside a log is lost', caughtBy: 'L3', plant: drop('entries', isInside) },
  {
    name: 'a balance_after is altered',
    caughtBy: 'L3',
    plant: change('entries', any, (entry) => ({
      ...entry,
      after: { ...entry.after, active: entry.after.active + 1 },
    })),
  },
  {
    name: 'a wallet lags behind its log',
    caughtBy: 'L3',
    plant: change('wallets', any, (wallet) => ({ ...wallet, sequence: wallet.sequence - 1 })),
  },
  {
    name: 'an amount is altered',
    caughtBy: 'L4',
    plant: change('entries', any, (entry) => ({ ...entry, amount: entry.amount + 1 })),
  },
  {
    name: 'a prev_hash is broken',
    caughtBy: 'L4',
    plant: change('entries', isInside, (entry) => ({ ...entry, prev_hash: 'f'.repeat(64) })),
  },
  {
    name: 'a description is altered',
    caughtBy: 'L4',
    plant: change(
      'entries',
      ({ note }) => note !== null,
      (entry) => ({ ...entry, note: { ...entry.note, description: 'another' } }),
    ),
  },
  {
    name: 'a chain is cut and its head kept',
    caughtBy: 'L4',
    plant: change('wallets', any, (wallet) => ({ ...wallet, hash: 'e'.repeat(64) })),
  },
  {
    name: 'a spend takes more than there is',
    caughtBy: 'L5',
    plant: change(
      'entries',
      (entry) => takes(entry) && !entry.caps?.allow_negative,
      (entry) => ({ ...entry, amount: -1e12 }),
    ),
  },
  {
    name: 'a debit claims that it may overdraw',
    caughtBy: 'L5',
    plant: change(
      'entries',
      ({ caps }) => caps?.allow_negative === false,
      (entry) => ({ ...entry, caps: { ...entry.caps, allow_negative: true } }),
    ),
  },
  {
    name: 'a credit goes over the cap',
    caughtBy: 'L6',
    plant: change(
      'entries',
      (entry, { walletTypes }) =>
        entry.type === 'earn' &&
        walletTypes.some(
          ({ _id, max_balance }) => _id === entry.wallet_type_id && max_balance !== null,
        ),
      (entry) => ({ ...entry, after: { ...entry.after, active: 1e12 } }),
    ),
  },
  {
    name: 'a spend is not counted as spent',
    caughtBy: 'L7',
    plant: change('entries', ofType('spend'), (entry) => ({
      ...entry,
      change: { ...entry.change, spent: 0 },
    })),
  },
  {
    name: 'a total does not explain its balance',
    caughtBy: 'L7',
    plant: change('entries', any, (entry) => ({
      ...entry,
      after: { ...entry.after, earned: entry.after.earned + 1 },
    })),
  },
  {
    name: 'an earn is booked as negative',
    caughtBy: 'L7',
    plant: change('entries', ofType('earn'), (entry) => ({ ...entry, amount: -entry.amount })),
  },
];
