// Harm to what answers said to clients.
import { any, change, drop, ofKind, twice } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */

/** What came last in a log is said to have ended before anything began. @param {World} world */
function turnTheClock(world) {
  const told = world.history.filter(
    ({ entries, kind }) => entries.length === 1 && ['earn', 'spend', 'adjust'].includes(kind),
  );
  const late = told.find(({ entries: [entry] }) =>
    told.some(
      ({ entries: [other] }) =>
        other?.client_wallet_id === entry?.client_wallet_id &&
        Number(other?.sequence) < Number(entry?.sequence),
    ),
  );
  if (!late) return null;
  const turned = { ...late, invokedAt: -2, endedAt: -1 };
  return { history: world.history.map((one) => (one === late ? turned : one)) };
}

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const HISTORY = [
  {
    name: 'an acknowledged earn is lost',
    caughtBy: 'H1',
    plant: (world) =>
      drop('entries', ({ _id }) =>
        world.history.some((one) => one.kind === 'earn' && one.entries[0]?.id === _id),
      )(world),
  },
  {
    name: 'a refused operation took effect',
    caughtBy: 'H1',
    plant: change('history', ofKind('spend'), (one) => ({ ...one, outcome: 'fail', entries: [] })),
  },
  { name: 'points that nobody asked for', caughtBy: 'H1', plant: drop('history', ofKind('earn')) },
  {
    name: 'a client is credited with another amount',
    caughtBy: 'H1',
    plant: change('history', ofKind('earn'), (one) => ({
      ...one,
      body: { ...one.body, amount: one.body.amount + 1 },
    })),
  },
  {
    name: 'a client is told another balance',
    caughtBy: 'H2',
    plant: change('history', ofKind('earn'), (one) => ({
      ...one,
      entries: one.entries.map((/** @type {any} */ entry) => ({
        ...entry,
        balance_after: entry.balance_after + 1,
      })),
    })),
  },
  { name: 'the log contradicts the clock', caughtBy: 'H3', plant: turnTheClock },
  {
    name: 'an acknowledged entry cannot be read',
    caughtBy: 'H3',
    plant: change('history', ofKind('read'), (one) => ({
      ...one,
      outcome: 'fail',
      status: 404,
      entries: [],
    })),
  },
  {
    name: 'another request under a used key is answered with the first entry',
    caughtBy: 'H4',
    plant: change(
      'history',
      ({ kind }) => kind === 'probe',
      (one) => ({ ...one, outcome: 'ok', status: 201, entries: [{ id: one.of }] }),
    ),
  },
  {
    name: 'an acknowledged capture is lost',
    caughtBy: 'H5',
    plant: (world) =>
      drop('entries', ({ _id }) =>
        world.history.some((one) => one.kind === 'capture' && one.entries[0]?.id === _id),
      )(world),
  },
  {
    name: 'a capture that nobody asked for',
    caughtBy: 'H5',
    plant: drop('history', ofKind('capture')),
  },
  {
    name: 'a refund is on record twice',
    caughtBy: 'H6',
    plant: (world) =>
      change(
        'purchaseRefunds',
        ({ refunds }) =>
          world.history.some((one) => one.kind === 'refund' && one.id === refunds[0]?.external_id),
        (row) => ({ ...row, refunds: [...row.refunds, ...row.refunds] }),
      )(world),
  },
  {
    name: 'a refund is left half done',
    caughtBy: 'H6',
    plant: change('purchaseRefunds', any, (row) => ({ ...row, open: true })),
  },
  {
    name: 'a refund takes back more than was earned',
    caughtBy: 'H6',
    plant: change(
      'entries',
      (entry) => entry.source_type === 'refund' && entry.amount < 0,
      (entry) => ({ ...entry, amount: -1e13 }),
    ),
  },
  {
    name: 'a client is created twice',
    caughtBy: 'H7',
    plant: (world) =>
      twice('clients', ({ custom_fields }) =>
        world.history.some((one) => one.id === custom_fields?.op && one.outcome === 'ok'),
      )(world),
  },
  {
    name: 'a repeat is answered another entry',
    caughtBy: 'H11',
    plant: change(
      'again',
      ({ entries }) => entries.length > 0,
      (answer) => ({
        ...answer,
        entries: answer.entries.map((entry) => ({ ...entry, id: 'another' })),
      }),
    ),
  },
  {
    name: 'a repeat is refused',
    caughtBy: 'H11',
    plant: change(
      'again',
      () => true,
      (answer) => ({ ...answer, status: 404 }),
    ),
  },
];
