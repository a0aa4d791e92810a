// Two guests of the small world, one of whom wants to be forgotten; a campaign; and what cards show.
import { points } from './fixture.mjs';
import { comeIn, give } from './story-doors.mjs';
import { lotsBy, partsOf } from './story-lots.mjs';

/** @typedef {import('./fixture.mjs').Book} Book */

const WORKSPACE = 'workspace-1';
const EARNED = 30;

/** @param {Book} book @param {string} client @param {string} canary */
function visit(book, client, canary) {
  const wallet = book.open(client, 'points');
  const lot = book.nextLot(wallet);
  const change = { active: points(EARNED), earned: points(EARNED) };
  const earn = { type: 'earn', amount: points(EARNED), change, lots: lotsBy([[lot, EARNED]], 1) };
  book.write(wallet, /** @type {any} */ (earn), null);
  book.ask({ id: `visit-${client}`, kind: 'visit', of: canary, body: {} });
  book.world.guests.push({ canary, clientId: client, workspaceId: WORKSPACE });
  return { wallet, lot };
}

/** @param {Book} book @param {string} clientId @param {object} document */
function showCard({ world }, clientId, document) {
  const passId = `pass-${clientId}`;
  world.phones.push({ passId, clientId, pushes: 1, document });
}

/** @param {Book} book */
export function receiveGuests(book) {
  const { wallet, lot } = visit(book, 'kate', 'canary00000000000a');
  visit(book, 'leo', 'canary00000000000b');
  const change = { active: -points(EARNED), spent: points(EARNED) };
  const taken = { lots: lotsBy([[lot, EARNED]], -1), consumed: partsOf([[lot, EARNED]]) };
  const closing = { type: 'adjust', amount: -points(EARNED), source_type: 'client_deleted' };
  book.write(
    wallet,
    /** @type {any} */ ({ ...closing, change, ...taken, closing: { successor: null } }),
    null,
  );
  book.ask({ id: 'forget-1', kind: 'forget', of: 'canary00000000000a' });
  const places = ['clients.clients', 'the receiver of webhooks'];
  for (const place of places)
    book.world.traces.push({ canary: 'canary00000000000b', place, workspaceId: WORKSPACE });
  showCard(book, 'kate', { voided: true, storeCard: {} });
  showCard(book, 'leo', { storeCard: { headerFields: [{ value: String(EARNED) }] } });
  const object = { state: 'ACTIVE', loyaltyPoints: { balance: { string: String(EARNED) } } };
  book.world.saved.push({ passId: 'pass-leo', clientId: 'leo', objectId: 'issuer.leo', object });
  launch(book);
  comeIn(book);
  spin(book);
  const sales = book.world.trail.filter(({ event_type: type }) => type === 'purchase');
  const clientIds = [...new Set(sales.map(({ client_id }) => String(client_id)))];
  book.world.segments.push({ id: 'segment-1', workspaceId: WORKSPACE, atLeast: 1, clientIds });
  const [first] = book.world.history;
  if (first) book.world.again.push({ ...first, told: undefined });
}

/** Four times, of which three count. @param {Book} book */
function spin(book) {
  const wallet = book.open('mia', 'lucky');
  for (let number = 1; number <= 4; number += 1) {
    const _id = `event-spin-${number}`;
    book.world.trail.push(
      /** @type {any} */ ({
        _id,
        ...{ workspace_id: WORKSPACE, client_id: 'mia', event_category: 'custom' },
        ...{ event_type: 'spin', event_timestamp: book.later, metadata: {}, amount: null },
      }),
    );
    book.ask({ id: `spin-${number}`, kind: 'spin', of: 'mia', told: { id: _id } });
    if (number > 3) continue;
    const lot = book.nextLot(wallet);
    const change = { active: points(1), earned: points(1) };
    const from = { source_type: 'automation', source_id: `run-${number}` };
    book.world.executions.push({
      _id: `run-${number}`,
      client_id: 'mia',
      trigger: { eventId: _id },
    });
    book.write(
      wallet,
      /** @type {any} */ ({
        ...{ type: 'earn', amount: points(1), change, ...from },
        lots: lotsBy([[lot, 1]], 1),
      }),
      null,
    );
  }
}

/** Two clients get a present; another campaign waits. @param {Book} book */
function launch(book) {
  const { world } = book;
  const clientIds = ['ada', 'ben'];
  const campaign = { workspaceId: WORKSPACE, clientIds };
  world.campaigns.push({ ...campaign, id: 'campaign-1', rewardId: 'gift-1' });
  world.campaigns.push({ ...campaign, id: 'campaign-2', rewardId: 'gift-2' });
  book.ask({ id: 'launch-1', kind: 'launch', of: 'campaign-1' });
  give(book, { rewardId: 'gift-1', clientIds, source: 'campaign' });
}
