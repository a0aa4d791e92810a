// Harm to what purchases earn and refunds take back.
import { isLinked, isLucky, isOfRule, isPurchase, isRefund, isTaking } from '../shopping.mjs';
import { change, drop } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */
/** @typedef {import('../world.mjs').Entry} Entry */
/** @typedef {import('../world.mjs').TrailEvent} TrailEvent */

/** @param {Entry} entry */
const isEarn = (entry) => isOfRule(entry) && entry.type === 'earn';
/** Of a workspace in which it is known of each spin whether it counted: elsewhere one less may be right. @param {Entry} entry @param {World} world */
const isSurelyLucky = (entry, { history }) =>
  isLucky(entry) &&
  history.every(
    ({ kind, outcome, workspace }) =>
      kind !== 'spin' || outcome !== 'unknown' || workspace !== entry.workspace_id,
  );
/** @param {string} state @returns {(event: TrailEvent) => boolean} */
const isLeft = (state) => (event) => isRefund(event) && event.refund_link?.state === state;

/** The taking of a refund of one sale, which no refund of several has touched. @param {World} world */
function takingOfOne(world) {
  const touched = world.trail
    .filter((event) => isLinked(event) && Number(event.refund_link?.saleIds.length) > 1)
    .flatMap((event) => event.refund_link?.saleIds ?? []);
  const settled = world.trail.filter(
    (event) =>
      isLinked(event) &&
      event.refund_link?.saleIds.length === 1 &&
      !touched.includes(String(event.refund_link.saleIds[0])) &&
      Number(event.amount) > 10_000,
  );
  const ids = world.purchaseRefunds
    .flatMap(({ refunds }) => refunds)
    .filter(({ operation_id }) => settled.some(({ _id }) => operation_id === `event:${_id}`))
    .map(({ id }) => id);
  return world.entries.find(
    (entry) => isTaking(entry) && ids.includes(String(entry.operation_id.split(':')[1])),
  );
}

/** @param {(entry: Entry, world: World) => Entry | Entry[]} edit @returns {(world: World) => Partial<World> | null} */
const withTaking = (edit) => (world) => {
  const taking = takingOfOne(world);
  return change(
    'entries',
    (entry) => entry === taking,
    (entry) => edit(entry, world),
  )(world);
};

/** A linked refund is said to be of a sale that somebody else made. @param {World} world */
function linkToAnother(world) {
  const refund = world.trail.find(isLinked);
  const other = world.trail.find(
    (event) => isPurchase(event) && event.client_id !== refund?.client_id,
  );
  if (!refund || !other) return null;
  const link = { ...refund.refund_link, saleIds: [other._id], paid: other.amount };
  const linked = /** @type {any} */ ({ ...refund, refund_link: link });
  return { trail: world.trail.map((event) => (event === refund ? linked : event)) };
}

/** What the load heard of what a refund named; no sale had it before. @param {World} world @param {TrailEvent} refund */
const wasAsked = ({ history }, { external_id }) =>
  history.some(({ kind, body }) => kind === 'return' && body.external_id === external_id);

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const SHOPPING = [
  {
    name: 'a refund takes from another member',
    caughtBy: 'R6',
    plant: withTaking((entry) => ({ ...entry, client_id: 'another' })),
  },
  {
    name: 'a refund takes from a sale that it is not of',
    caughtBy: 'R6',
    plant: withTaking((entry, { entries }) => ({
      ...entry,
      source_id: entries.find((one) => isEarn(one) && one._id !== entry.source_id)?._id ?? null,
    })),
  },
  {
    name: 'a refund takes more than its share',
    caughtBy: 'R6',
    plant: withTaking((entry) => ({ ...entry, amount: entry.amount - 2 })),
  },
  {
    name: 'a refund takes twice',
    caughtBy: 'R6',
    plant: withTaking((entry) => [entry, { ...entry, _id: `${entry._id}-again` }]),
  },
  { name: 'a refund takes nothing', caughtBy: 'R6', plant: withTaking(() => []) },
  {
    name: 'points are taken back without a refund',
    caughtBy: 'R6',
    plant: withTaking((entry) => ({ ...entry, operation_id: 'refund:nobody:nothing' })),
  },
  {
    name: "a refund is linked to somebody else's sale",
    caughtBy: 'R6',
    plant: linkToAnother,
  },
  {
    name: 'a refund is linked to a sale of another name',
    caughtBy: 'R6',
    plant: change('trail', isLinked, (event) => ({ ...event, original_external_id: 'another' })),
  },
  {
    name: 'a refund gives back more than was paid',
    caughtBy: 'R6',
    plant: change('trail', isLinked, (event) => ({ ...event, amount: 1e12 })),
  },
  {
    name: 'a refund is told that another amount was paid',
    caughtBy: 'R6',
    plant: change('trail', isLinked, (event) => ({
      ...event,
      refund_link: { ...event.refund_link, paid: event.refund_link.paid + 1 },
    })),
  },
  {
    name: 'a refund of a known sale is not found',
    caughtBy: 'R6',
    plant: (world) => {
      const of = (/** @type {TrailEvent} */ { refund_link: link }) =>
        world.trail.filter(({ _id }) => link?.saleIds.includes(_id));
      const told = new Map(
        world.history.map(({ body, outcome, invokedAt, endedAt }) => [
          body?.external_id,
          { outcome, invokedAt, endedAt },
        ]),
      );
      const timeOf = (/** @type {TrailEvent} */ { external_id }) => told.get(external_id);
      return change(
        'trail',
        (event) =>
          isLinked(event) &&
          of(event).some((sale) => {
            const { outcome, endedAt = Infinity } = timeOf(sale) ?? {};
            return outcome === 'ok' && endedAt < (timeOf(event)?.invokedAt ?? 0);
          }),
        (event) => ({
          ...event,
          refund_link: { state: 'not_found', saleIds: [], names: [], paid: 0 },
        }),
      )(world);
    },
  },
  {
    name: 'a refund is said to exceed what is left',
    caughtBy: 'R6',
    plant: (world) =>
      change(
        'trail',
        (event) => isLeft('exceeds')(event) && wasAsked(world, event),
        (event) => ({ ...event, amount: -1e12 }),
      )(world),
  },
  {
    name: 'a purchase earns nothing',
    caughtBy: 'R7',
    plant: drop('entries', isEarn),
  },
  {
    name: 'a purchase earns twice',
    caughtBy: 'R7',
    plant: change('entries', isEarn, (entry) => [entry, { ...entry, _id: `${entry._id}-again` }]),
  },
  {
    name: 'a purchase earns another amount',
    caughtBy: 'R7',
    plant: change('entries', isEarn, (entry) => ({ ...entry, amount: entry.amount + 1 })),
  },
  {
    name: 'somebody else earns by a purchase',
    caughtBy: 'R7',
    plant: change('entries', isEarn, (entry) => ({ ...entry, client_id: 'another' })),
  },
  {
    name: 'a rule gives points for nothing',
    caughtBy: 'R7',
    plant: change('entries', isEarn, (entry) => ({ ...entry, source_id: 'nothing' })),
  },
  {
    name: 'a spin earns twice',
    caughtBy: 'R8',
    plant: change('entries', isLucky, (entry) => [entry, { ...entry, _id: `${entry._id}-again` }]),
  },
  { name: 'a spin earns nothing', caughtBy: 'R8', plant: drop('entries', isSurelyLucky) },
  {
    name: "a spin earns somebody else's points",
    caughtBy: 'R8',
    plant: change('entries', isLucky, (entry) => ({ ...entry, client_id: 'another' })),
  },
  {
    name: 'a client earns more often than the rule allows',
    caughtBy: 'R8',
    plant: (world) => {
      const one = world.entries.find(isLucky);
      const more = [1, 2, 3, 4].map((number) => ({ ...one, _id: `more-${number}` }));
      return one ? { entries: [...world.entries, .../** @type {any} */ (more)] } : null;
    },
  },
  {
    name: 'somebody who bought often is not in the segment',
    caughtBy: 'S1',
    plant: change(
      'segments',
      ({ clientIds }) => clientIds.length > 0,
      (segment) => ({
        ...segment,
        clientIds: segment.clientIds.slice(1),
      }),
    ),
  },
  {
    name: 'somebody who bought nothing is in the segment',
    caughtBy: 'S1',
    plant: change(
      'segments',
      () => true,
      (segment) => ({
        ...segment,
        clientIds: [...segment.clientIds, 'a stranger'],
      }),
    ),
  },
  {
    name: 'an acknowledged refund is lost',
    caughtBy: 'H10',
    plant: (world) =>
      drop('trail', (event) => isRefund(event) && isAcknowledged(world, event))(world),
  },
  {
    name: 'a member is told of another link',
    caughtBy: 'H10',
    plant: (world) =>
      change(
        'trail',
        (event) => isRefund(event) && isAcknowledged(world, event),
        (event) => ({ ...event, refund_link: { ...event.refund_link, state: 'another' } }),
      )(world),
  },
];

/** @param {World} world @param {TrailEvent} event */
function isAcknowledged({ history }, { external_id }) {
  return history.some(
    ({ kind, outcome, body }) =>
      kind === 'return' && outcome === 'ok' && body.external_id === external_id,
  );
}
