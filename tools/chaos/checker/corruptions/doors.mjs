// Harm to what comes in by the doors outside.
import { isOfPortal } from '../doors.mjs';
import { isOfTill } from '../till.mjs';
import { change, drop, twice } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */

/** @param {World} world @param {string} kind */
const taken = ({ history }, kind) =>
  history.filter((one) => one.kind === kind && one.outcome === 'ok');
/** @param {{ external_id?: string }} event @param {World} world */
const isDelivered = ({ external_id }, world) =>
  taken(world, 'deliver').some(({ body }) => body.id === external_id);
/** @param {{ email?: string | null }} client @param {World} world */
const isEnrolled = ({ email }, world) => taken(world, 'enrol').some(({ of }) => of === email);
/** @param {{ client_id: string | null }} row @param {World} world */
const isOfEnrolled = ({ client_id }, world) =>
  world.clients.some((client) => client._id === client_id && isEnrolled(client, world));

/** @param {import('../world.mjs').Entry} entry @param {World} world */
const isServed = ({ _id }, world) => taken(world, 'serve').some(({ told }) => told?.id === _id);

/** @param {import('../world.mjs').Entry} entry @param {World} world */
const isTakenBack = ({ _id }, world) =>
  taken(world, 'unserve').some(({ told }) => told?.id === _id);

/** @param {import('../world.mjs').Contact} contact */
const isKnown = ({ fields }) => fields !== null && fields.state !== 'anonymized';

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const DOORS = [
  {
    name: 'a purchase that a shop system told of is lost',
    caughtBy: 'D1',
    plant: drop('trail', isDelivered),
  },
  {
    name: 'a purchase that a shop system told of is there twice',
    caughtBy: 'D1',
    plant: twice('trail', isDelivered),
  },
  {
    name: 'a purchase that a shop system told of is of somebody else',
    caughtBy: 'D1',
    plant: change('trail', isDelivered, (event) => ({ ...event, client_id: 'somebody-else' })),
  },
  {
    name: 'who signed up by a form is no client',
    caughtBy: 'D2',
    plant: drop('clients', isEnrolled),
  },
  {
    name: 'who signed up by a form is two clients',
    caughtBy: 'D2',
    plant: change('clients', isEnrolled, (client) => [client, { ...client, _id: 'a-second' }]),
  },
  {
    name: 'who signed up by a form has two cards',
    caughtBy: 'D2',
    plant: twice('passes', isOfEnrolled),
  },
  {
    name: 'what was redeemed on the portal is lost',
    caughtBy: 'D3',
    plant: drop('redemptions', isOfPortal),
  },
  {
    name: 'what was redeemed on the portal is had again and again',
    caughtBy: 'D3',
    plant: change('redemptions', isOfPortal, (one) => Array.from({ length: 1_000 }, () => one)),
  },
  {
    name: 'points that staff gave are lost',
    caughtBy: 'D5',
    plant: drop('entries', isServed),
  },
  {
    name: 'points that staff gave are there twice',
    caughtBy: 'D5',
    plant: change('entries', isServed, (entry) => [
      entry,
      ...Array.from({ length: 100 }, (_, number) => ({ ...entry, _id: `again-${number}` })),
    ]),
  },
  {
    name: 'staff gave other points than they were told',
    caughtBy: 'D5',
    plant: change('entries', isServed, (entry) => ({ ...entry, amount: entry.amount + 1 })),
  },
  {
    name: 'points came from a till without staff',
    caughtBy: 'D5',
    plant: change('entries', isOfTill, (entry) => ({ ...entry, client_id: 'another' })),
  },
  {
    name: 'points that staff took back are still there',
    caughtBy: 'D6',
    plant: drop('entries', isTakenBack),
  },
  {
    name: 'points that staff gave are taken back twice',
    caughtBy: 'D6',
    plant: change('entries', isTakenBack, (entry) => [entry, { ...entry, _id: 'a-second' }]),
  },
  {
    name: 'staff took back other points than they had given',
    caughtBy: 'D6',
    plant: change('entries', isTakenBack, (entry) => ({ ...entry, amount: entry.amount - 1 })),
  },
  {
    name: 'points were taken back that staff left as they were',
    caughtBy: 'D6',
    plant: change('entries', isTakenBack, (entry) => ({ ...entry, source_id: 'another' })),
  },
  {
    name: 'another system was not told of a client',
    caughtBy: 'D4',
    plant: drop('contacts', isKnown),
  },
  {
    name: 'another system knows a client as it was',
    caughtBy: 'D4',
    plant: change('contacts', isKnown, (contact) => ({
      ...contact,
      fields: { ...contact.fields, given: 'as it was' },
    })),
  },
  {
    name: 'another system knows somebody who is gone',
    caughtBy: 'D4',
    plant: change(
      'contacts',
      ({ fields }) => fields === null,
      (contact) => ({ ...contact, fields: { given: 'gone' } }),
    ),
  },
];
