// Harm to people who are forgotten, to their cards, and to campaigns.
import { forgottenIn } from '../guests.mjs';
import { change, drop, twice } from './plant.mjs';

/** @typedef {import('../world.mjs').World} World */

/** @param {{ canary: string }} guest @param {World} world */
const isForgotten = ({ canary }, world) => forgottenIn(world).has(canary);

/** One more trace, of the first guest who is forgotten, or of the first who is not. @param {boolean} forgotten @param {string} place @param {string | null} workspaceId */
const trace = (forgotten, place, workspaceId) => (/** @type {World} */ world) => {
  const guest = world.guests.find((one) => isForgotten(one, world) === forgotten);
  if (!guest) return null;
  return { traces: [...world.traces, { canary: guest.canary, place, workspaceId }] };
};

/** @param {{ clientId: string }} row @param {World} world */
const isOfForgotten = ({ clientId }, world) =>
  world.guests.some((guest) => guest.clientId === clientId && isForgotten(guest, world));

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const GUESTS = [
  {
    name: 'somebody who is forgotten stands in an outbox',
    caughtBy: 'E1',
    plant: trace(true, 'clients.outbox', null),
  },
  {
    name: 'somebody who is forgotten stands in a log',
    caughtBy: 'E1',
    plant: trace(true, 'logs/clients.log', null),
  },
  {
    name: 'nobody is looked for',
    caughtBy: 'E1',
    plant: (world) =>
      world.guests.some((guest) => !isForgotten(guest, world)) ? { traces: [] } : null,
  },
  {
    name: 'the card of somebody who is forgotten still shows them',
    caughtBy: 'E1',
    plant: change('phones', isOfForgotten, (phone) => ({
      ...phone,
      document: { ...phone.document, voided: false },
    })),
  },
  {
    name: 'what a guest earned is lost',
    caughtBy: 'E2',
    plant: drop(
      'entries',
      (entry, { guests }) =>
        entry.type === 'earn' && guests.some(({ clientId }) => clientId === entry.client_id),
    ),
  },
  {
    name: 'what a guest earned is earned twice',
    caughtBy: 'E2',
    plant: twice(
      'entries',
      (entry, { guests }) =>
        entry.type === 'earn' && guests.some(({ clientId }) => clientId === entry.client_id),
    ),
  },
  {
    name: 'points of somebody who is forgotten are left',
    caughtBy: 'E2',
    plant: change(
      'wallets',
      ({ client_id: clientId }, world) => isOfForgotten({ clientId }, world),
      (wallet) => ({ ...wallet, figures: { ...wallet.figures, active: 1 } }),
    ),
  },
  {
    name: 'a guest stands in another workspace',
    caughtBy: 'X1',
    plant: trace(false, 'passes.passes', 'another'),
  },
  {
    name: 'a guest is told to the receiver of another workspace',
    caughtBy: 'X1',
    plant: trace(false, 'the receiver of webhooks', 'another'),
  },
  {
    name: 'a phone shows what was',
    caughtBy: 'K1',
    plant: change(
      'phones',
      ({ document }) => document.voided !== true,
      (phone) => ({
        ...phone,
        document: { ...phone.document, storeCard: { headerFields: [{ value: '987,654' }] } },
      }),
    ),
  },
  {
    name: 'Google shows what was',
    caughtBy: 'K2',
    plant: change(
      'saved',
      ({ object }) => object.state === 'ACTIVE',
      (card) => ({
        ...card,
        object: { ...card.object, loyaltyPoints: { balance: { string: '987,654' } } },
      }),
    ),
  },
  {
    name: 'a campaign gives somebody two rewards',
    caughtBy: 'C1',
    plant: twice('redemptions', ({ source }) => source === 'campaign'),
  },
  {
    name: 'a campaign leaves somebody out',
    caughtBy: 'C1',
    plant: drop('redemptions', ({ source }) => source === 'campaign'),
  },
  {
    name: 'a campaign gives to somebody who is not of its audience',
    caughtBy: 'C1',
    plant: change(
      'redemptions',
      ({ source }) => source === 'campaign',
      (redemption) => [redemption, { ...redemption, client_id: 'a stranger' }],
    ),
  },
  {
    name: 'a campaign gives that nobody launched',
    caughtBy: 'C1',
    plant: drop('history', ({ kind, outcome }) => kind === 'launch' && outcome === 'ok'),
  },
];
