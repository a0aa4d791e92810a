// What comes into the small world from outside, and what is given away in it.
import { contactOf } from './contacts.mjs';
import { points } from './fixture.mjs';
import { lotsBy, partsOf } from './story-lots.mjs';
import { earnByRule } from './story-shopping.mjs';

/** @typedef {import('./fixture.mjs').Book} Book */

const WORKSPACE = 'workspace-1';
/** Points that staff give. */
const SERVED = 7;

/** A reward that costs nothing, and who has it. @param {Book} book @param {{ rewardId: string, clientIds: string[], source: string }} gift */
export function give(book, { rewardId, clientIds, source }) {
  const { world } = book;
  for (const client_id of clientIds) {
    const _id = `${rewardId}-of-${client_id}`;
    world.redemptions.push({
      _id,
      ...{ workspace_id: WORKSPACE, reward_id: rewardId, client_id, points_spent: 0 },
      ...{ points_ledger_id: null, coupon_id: null, status: 'fulfilled', source },
      ...{ counted: true, used_at: null, metadata: {}, refund: null },
    });
    world.usages.push({ reward_id: rewardId, client_id, used: 1, marks: [] });
    book.tell('rewards.reward_redeemed', { redemption: { id: _id } });
  }
  world.rewards.push({
    _id: rewardId,
    ...{ workspace_id: WORKSPACE, name: rewardId, used: clientIds.length, marks: [] },
    ...{ usage_limit: null, usage_limit_per_client: null, code_pattern: null },
    coupons_imported: false,
  });
}

/** A shop system tells of a purchase twice, somebody signs up by a form, a member redeems on the portal, staff give points. @param {Book} book */
export function comeIn(book) {
  const { world } = book;
  const body = { id: 'order-1', total: 4, customer: { email: 'nora@example.com' } };
  for (const id of ['deliver-1', 'deliver-2']) book.ask({ id, kind: 'deliver', of: 'nora', body });
  world.trail.push(
    /** @type {any} */ ({
      _id: 'event-order-1',
      ...{ workspace_id: WORKSPACE, client_id: 'nora', event_category: 'note' },
      ...{ event_type: 'order', event_timestamp: book.later, metadata: {} },
      ...{ amount: points(body.total), external_id: body.id },
    }),
  );
  book.ask({ id: 'enrol-1', kind: 'enrol', of: 'otto@example.com' });
  const otto = { _id: 'otto', workspace_id: WORKSPACE };
  world.clients.push({ ...otto, email: 'otto@example.com', custom_fields: {} });
  world.members.push({
    ...otto,
    ...{ state: 'alive', enabled: true, tier: null },
    lifetime: { earned: { counter: points(2 * SERVED) }, transactions: 0 },
  });
  world.passes.push({ _id: 'pass-of-otto', client_id: 'otto' });
  give(book, { rewardId: 'treat', clientIds: ['ada'], source: 'self_serve' });
  book.ask({ id: 'claim-1', kind: 'claim', of: 'ada', told: { id: 'treat-of-ada' } });
  const counter = book.open('otto', 'counter');
  serve(book, counter, 'serve-1');
  takeBack(book, counter, serve(book, counter, 'serve-2'));
}

/** Staff give points. @param {Book} book @param {import('./world.mjs').Wallet} counter @param {string} id */
function serve(book, counter, id) {
  const { earnId, lot } = earnByRule(book, counter, `action-${id}`, SERVED);
  const operation = `operation-${id}`;
  const told = { id: earnId, operation };
  book.ask({ id, kind: 'serve', of: 'otto', body: { data: { points: SERVED } }, told });
  return { earnId, lot, operation };
}

/** Staff take back what they gave. @param {Book} book @param {import('./world.mjs').Wallet} counter @param {ReturnType<typeof serve>} served */
function takeBack(book, counter, { earnId, lot, operation }) {
  const units = points(SERVED);
  const { _id } = book.write(
    counter,
    {
      type: 'cancel',
      amount: -units,
      change: /** @type {any} */ ({ active: -units, earned: -units }),
      source_type: 'cancel',
      source_id: earnId,
      lots: lotsBy([[lot, SERVED]], -1),
      consumed: partsOf([[lot, SERVED]]),
      marks: [{ entry_id: earnId, status: 'cancelled' }],
    },
    null,
  );
  const earn = book.world.entries.find((entry) => entry._id === earnId);
  if (earn) earn.status = 'cancelled';
  book.ask({ id: 'unserve-1', kind: 'unserve', of: operation, told: { id: _id } });
}

/** Another system has heard of everybody, and let go of somebody. @param {Book} book */
export function tellOthers({ world }) {
  const heard = { workspaceId: WORKSPACE, calls: 1 };
  world.contacts = world.clients.map((client) => ({
    ...heard,
    clientId: client._id,
    fields: contactOf(client),
  }));
  world.contacts.push({ ...heard, clientId: 'dora', fields: null });
}

/** Somebody is invited, and a member of staff is sent a code, at the second try of the provider. @param {Book} book */
export function write(book) {
  const [email, phone] = ['invite-pia@example.com', '+491510000000'];
  book.ask({ id: 'invite-1', kind: 'invite', of: email });
  book.ask({ id: 'text-1', kind: 'text', of: phone });
  const letter = { text: 'hello', isAltered: false };
  book.world.letters.push(
    { ...letter, id: 'mail-1', channel: 'email', to: email },
    { ...letter, id: 'text-1', channel: 'sms', to: phone },
  );
}
