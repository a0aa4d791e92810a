// D1 to D3: what comes in by the doors that people and systems outside have.
import { finding, groupBy, unitsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Operation} Operation */

/** @param {World} world @param {string} kind @param {(asked: Operation) => string} keyOf */
const askedBy = ({ history }, kind, keyOf) =>
  groupBy(
    history.filter((one) => one.kind === kind),
    keyOf,
  );
const wasTaken = (/** @type {Operation} */ { outcome }) => outcome === 'ok';
const mayBeDone = (/** @type {Operation} */ { outcome }) => outcome !== 'fail';

/**
 * D1: what a shop system has an answer for is in the trail of its client, once, however often it was sent.
 *
 * @param {World} world
 */
export function deliveriesCountOnce(world) {
  const found = finding();
  const trail = groupBy(world.trail, (event) => `${event.workspace_id} ${event.external_id}`);
  const orders = askedBy(world, 'deliver', ({ workspace, body }) => `${workspace} ${body.id}`);
  for (const [order, asked] of orders) {
    const { of, body } = /** @type {Operation} */ (asked[0]);
    const told = trail.get(order) ?? [];
    const least = asked.some(wasTaken) ? 1 : 0;
    const most = asked.some(mayBeDone) ? 1 : 0;
    found.must(
      told.length >= least && told.length <= most,
      () => `${order} was taken ${least} times and stands ${told.length} times in the trail`,
    );
    for (const event of told)
      found.must(
        event.client_id === of && event.amount === unitsOf(body.total),
        () => `${order} of ${of}, ${body.total}, stands as ${event.amount} of ${event.client_id}`,
      );
  }
  return found;
}

/**
 * D2: who signed up by a form is one client with one card, however often the form was sent.
 *
 * @param {World} world
 */
export function formsMakeOneMember(world) {
  const found = finding();
  const known = groupBy(world.clients, ({ workspace_id, email }) => `${workspace_id} ${email}`);
  const cards = groupBy(world.passes, ({ client_id }) => String(client_id));
  const people = askedBy(world, 'enrol', ({ workspace, of }) => `${workspace} ${of}`);
  for (const [person, asked] of people) {
    const made = known.get(person) ?? [];
    const least = asked.some(wasTaken) ? 1 : 0;
    const most = asked.some(mayBeDone) ? 1 : 0;
    found.must(
      made.length >= least && made.length <= most,
      () => `${person} signed up, was told so ${least} times and is ${made.length} clients`,
    );
    for (const { _id } of made) {
      const count = (cards.get(_id) ?? []).length;
      found.must(count <= 1, () => `${person} signed up and has ${count} cards`);
      found.must(count >= least, () => `${person} was told of a card and has none`);
    }
  }
  return found;
}

export const isOfPortal = (/** @type {import('./world.mjs').Redemption} */ { source }) =>
  source === 'self_serve';

/**
 * D3: what members redeemed on the portal they have, once.
 *
 * @param {World} world
 */
export function portalRedeemsOnce(world) {
  const found = finding();
  const had = groupBy(world.redemptions.filter(isOfPortal), ({ client_id }) => client_id);
  for (const [clientId, asked] of askedBy(world, 'claim', ({ of }) => String(of))) {
    const has = had.get(clientId) ?? [];
    const told = asked.filter(wasTaken);
    const most = asked.filter(mayBeDone).length;
    found.must(
      has.length >= told.length && has.length <= most,
      () =>
        `client ${clientId} redeemed ${has.length} times, was told of ${told.length} and asked ${most} times`,
    );
    for (const { id, told: answer } of told)
      found.must(
        has.some(({ _id }) => _id === answer?.id),
        () => `client ${clientId} was told of a redemption (${id}) that is not there`,
      );
  }
  return found;
}
