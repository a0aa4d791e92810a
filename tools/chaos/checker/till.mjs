// D5: what staff give at the till of the staff app.
import { TILL_WALLET } from '../till.mjs';
import { finding, groupBy, nameOf, unitsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').Operation} Operation */

/** @param {Entry} entry */
export const isOfTill = ({ wallet_type_code: code }) => code === TILL_WALLET;
/** @param {Operation} asked */
const pointsOf = ({ body }) => unitsOf(body.data.points);

/**
 * D5: what staff have an answer for a member has, once and as much as that; what else there is they asked for, without hearing
 * what became of it.
 *
 * @param {World} world
 */
export function tillGivesOnce(world) {
  const found = finding();
  const given = groupBy(world.entries.filter(isOfTill), ({ client_id }) => client_id);
  const served = groupBy(
    world.history.filter(({ kind }) => kind === 'serve'),
    ({ of }) => String(of),
  );
  for (const clientId of new Set([...given.keys(), ...served.keys()])) {
    const asked = served.get(clientId) ?? [];
    const rest = new Map((given.get(clientId) ?? []).map((entry) => [entry._id, entry]));
    for (const one of asked.filter(({ outcome }) => outcome === 'ok')) {
      const entry = rest.get(String(one.told?.id));
      rest.delete(String(one.told?.id));
      found.must(
        entry?.type === 'earn' && entry.amount === pointsOf(one),
        () => `serve ${one.id} of ${pointsOf(one)} units came to ${entry?.amount}`,
      );
    }
    const open = asked.filter(({ outcome }) => outcome === 'unknown').map(pointsOf);
    for (const entry of rest.values()) {
      const position = entry.type === 'earn' ? open.indexOf(entry.amount) : -1;
      open.splice(position, position < 0 ? 0 : 1);
      found.must(position >= 0, () => `no member of staff gave ${nameOf(entry)}`);
    }
  }
  return found;
}
