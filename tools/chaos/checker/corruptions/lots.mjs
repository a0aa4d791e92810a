// Harm to lots, to what happens once, and to transfers.
import { logsOf } from '../world.mjs';
import { again, any, change, drop, fromSource, ofType, takes } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */

/** Takes from a younger lot what was taken from an older one. @param {World} world */
function passOver(world) {
  for (const log of logsOf(world).values()) {
    for (const debit of log.filter(takes)) {
      const [oldest] = debit.consumed;
      const younger = log.find(
        ({ type, sequence, lots, status }) =>
          type === 'earn' &&
          status === 'active' &&
          sequence < debit.sequence &&
          lots[0] !== undefined &&
          lots[0].matures_at === null &&
          lots[0].sequence > Math.max(...debit.consumed.map((part) => part.sequence)),
      )?.lots[0];
      if (!oldest || !younger || debit.consumed.length > 1) continue;
      const { by, matures_at, ...ref } = younger;
      const moved = {
        ...debit,
        consumed: [{ ...oldest, ...ref }],
        lots: debit.lots.map((lot) => ({ ...lot, ...ref })),
      };
      return { entries: world.entries.map((entry) => (entry === debit ? moved : entry)) };
    }
  }
  return null;
}

/** Two entries of one wallet and type get the same external_id. @param {World} world */
function shareExternalId(world) {
  for (const log of logsOf(world).values()) {
    const earns = log.filter(ofType('earn'));
    if (earns.length < 2) continue;
    const same = new Set(earns.slice(0, 2));
    return {
      entries: world.entries.map((entry) =>
        same.has(entry) ? { ...entry, external_id: 'the-same' } : entry,
      ),
    };
  }
  return null;
}

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const LOTS = [
  {
    name: 'a spend uses up less than it took',
    caughtBy: 'L8',
    plant: change('entries', takes, (entry) => ({
      ...entry,
      consumed: entry.consumed.map((/** @type {any} */ part) => ({
        ...part,
        amount: part.amount - 1,
      })),
    })),
  },
  {
    name: 'a spend is paid from a lot twice',
    caughtBy: 'L8',
    plant: change('entries', takes, (entry) => ({
      ...entry,
      lots: [...entry.lots, ...entry.lots],
    })),
  },
  { name: 'a younger lot is spent before an older one', caughtBy: 'L9', plant: passOver },
  {
    name: 'a lot matures twice',
    caughtBy: 'L10',
    plant: change('entries', fromSource('maturation'), again),
  },
  {
    name: 'a lot expires before its time',
    caughtBy: 'L10',
    plant: change('entries', ofType('expire'), (entry) => ({ ...entry, created_at: new Date(0) })),
  },
  {
    name: 'nobody expires what is due',
    caughtBy: 'L10',
    plant: (world) => ({ at: new Date(world.at.getTime() + 1e12) }),
  },
  {
    name: 'a spend is doubled',
    caughtBy: 'L11',
    plant: change('entries', ofType('spend'), (entry, world) =>
      again(entry, world).map((one) => ({ ...one, operation_id: entry.operation_id })),
    ),
  },
  { name: 'an external_id stands twice', caughtBy: 'L11', plant: shareExternalId },
  {
    name: 'an entry is cancelled twice',
    caughtBy: 'L11',
    plant: change('entries', fromSource('cancel'), again),
  },
  {
    name: 'a hold is captured twice',
    caughtBy: 'L11',
    plant: change('entries', fromSource('capture'), again),
  },
  {
    name: 'half of a transfer is lost',
    caughtBy: 'L12',
    plant: drop('entries', ofType('transfer_in')),
  },
  {
    name: 'a transfer arrives larger than it left',
    caughtBy: 'L12',
    plant: change('entries', ofType('transfer_in'), (entry) => ({
      ...entry,
      amount: entry.amount + 1,
    })),
  },
  {
    name: 'transferred points live longer',
    caughtBy: 'L12',
    plant: change(
      'entries',
      (entry) =>
        entry.type === 'transfer_in' && entry.source_type === 'transfer' && entry.lots.length > 0,
      (entry) => ({
        ...entry,
        lots: entry.lots.map((/** @type {any} */ lot) => ({ ...lot, expires_at: 1 })),
      }),
    ),
  },
  {
    name: 'a status moves by itself',
    caughtBy: 'L13',
    plant: change('entries', any, (entry) => ({ ...entry, status: 'elsewhere' })),
  },
];
