// E1, E2, X1: who wanted to be forgotten is found nowhere, who did not is found where they belong and nowhere else.
import { finding, groupBy } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */

/** @param {World} world @param {string} kind @returns {Map<string, import('./world.mjs').Operation[]>} by canary */
const askedOf = ({ history }, kind) =>
  groupBy(
    history.filter((one) => one.kind === kind),
    ({ of }) => String(of),
  );

/** A deletion has no key: where the answer to its first attempt was lost, the next one is 404. @param {import('./world.mjs').Operation} operation */
const hasForgotten = ({ kind, outcome, status, attempts }) =>
  kind === 'forget' && (outcome === 'ok' || (status === 404 && attempts > 1));

/** Who wanted to be forgotten and has an answer that they are. @param {Pick<World, 'history'>} world @returns {Set<string>} canaries */
export const forgottenIn = ({ history }) =>
  new Set(history.filter(hasForgotten).map(({ of }) => String(of)));

/** What was sent to others before is theirs. @param {import('./world.mjs').Trace} trace */
const isOurs = ({ place }) => !place.startsWith('the receiver');

/**
 * E1: of whom was forgotten nothing is left in stores, Redis, logs, mails or on their card; of everybody else there is:
 * they are looked for.
 *
 * @param {World} world
 */
export function forgottenLeaveNothing(world) {
  const found = finding();
  const traces = groupBy(world.traces.filter(isOurs), ({ canary }) => canary);
  const forgets = askedOf(world, 'forget');
  const forgotten = forgottenIn(world);
  for (const { canary, clientId } of world.guests) {
    const places = (traces.get(canary) ?? []).map(({ place }) => place);
    if (forgotten.has(canary)) {
      const told = () => `client ${clientId} (${canary}) is forgotten and stands in ${places}`;
      found.must(places.length === 0, told);
      const phone = world.phones.find((one) => one.clientId === clientId);
      found.must(
        phone === undefined ||
          (phone.document.voided === true && !JSON.stringify(phone.document).includes(canary)),
        () => `the card of client ${clientId} (${canary}), who is forgotten, is still one`,
      );
    } else if (!forgets.has(canary))
      found.must(
        places.includes('clients.clients'),
        () => `client ${clientId} (${canary}) is not forgotten and not found`,
      );
  }
  return found;
}

/**
 * E2: what a guest earned by our answers is in the log, once; forgetting takes the name from it and ends the wallet.
 *
 * @param {World} world
 */
export function guestsEarnOnce(world) {
  const found = finding();
  const visits = askedOf(world, 'visit');
  const entries = groupBy(world.entries, ({ client_id }) => client_id);
  const wallets = groupBy(world.wallets, ({ client_id }) => client_id);
  const forgotten = forgottenIn(world);
  for (const { canary, clientId } of world.guests) {
    const asked = visits.get(canary) ?? [];
    const least = asked.filter(({ outcome }) => outcome === 'ok').length;
    const most = asked.filter(({ outcome }) => outcome !== 'fail').length;
    const earned = (entries.get(clientId) ?? []).filter(({ type }) => type === 'earn').length;
    found.must(
      earned >= least && earned <= most,
      () =>
        `client ${clientId} earned ${earned} times, was told of ${least} and asked ${most} times`,
    );
    if (!forgotten.has(canary)) continue;
    for (const { _id, figures } of wallets.get(clientId) ?? [])
      found.must(
        figures.active === 0 && figures.pending === 0 && figures.locked === 0,
        () => `wallet ${_id} of client ${clientId}, who is forgotten, is not empty`,
      );
  }
  return found;
}

/**
 * X1: nothing of a guest is in a place of another workspace, outside neither.
 *
 * @param {World} world
 */
export function workspacesAreApart(world) {
  const found = finding();
  const homes = new Map(world.guests.map(({ canary, workspaceId }) => [canary, workspaceId]));
  for (const { canary, place, workspaceId } of world.traces) {
    if (workspaceId === null) continue;
    const home = homes.get(canary);
    found.must(
      home === workspaceId,
      () => `${canary} of workspace ${home} stands in ${place} of workspace ${workspaceId}`,
    );
  }
  return found;
}
