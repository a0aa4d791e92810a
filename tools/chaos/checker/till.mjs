// D5, D6: what staff give at the till of the staff app, and take back.
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
  const given = groupBy(
    world.entries.filter((entry) => isOfTill(entry) && entry.type !== 'cancel'),
    ({ client_id }) => client_id,
  );
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

/** A device may take back for ten minutes; the clocks of some are ahead by a minute and a half. */
const SURELY_IN_TIME_MS = 480_000;

/**
 * D6: what staff took back is gone once, and all of it; what they were refused is still there, unless it was gone before, or
 * was asked for too late; nothing else is taken back.
 *
 * @param {World} world
 */
export function tillTakesBackOnce(world) {
  const found = finding();
  const servings = new Map(
    world.history.flatMap((one) =>
      one.kind === 'serve' && one.told?.operation ? [[one.told.operation, one]] : [],
    ),
  );
  const cancels = world.entries.filter((entry) => isOfTill(entry) && entry.type === 'cancel');
  const byEarn = groupBy(cancels, ({ source_id }) => String(source_id));
  const unserved = world.history.filter(({ kind }) => kind === 'unserve');
  for (const [operation, asked] of groupBy(unserved, ({ of }) => String(of))) {
    const serving = servings.get(operation);
    const earnId = String(serving?.told?.id);
    const complaint = complaintAbout(serving, asked, byEarn.get(earnId) ?? []);
    byEarn.delete(earnId);
    found.must(complaint === null, () => `operation ${operation} ${complaint}`);
  }
  for (const [earnId, [entry]] of byEarn)
    found.must(false, () => `no member of staff took back ${earnId} by ${entry && nameOf(entry)}`);
  return found;
}

/**
 * @param {Operation | undefined} serving
 * @param {readonly Operation[]} asked to take it back
 * @param {readonly Entry[]} taken by which it was
 * @returns {string | null}
 */
function complaintAbout(serving, asked, taken) {
  const [one, second] = taken;
  if (!serving) return 'was never done';
  if (second) return `was taken back by ${taken.map(nameOf).join(' and ')}`;
  const sure = asked.filter(({ outcome }) => outcome === 'ok');
  // Of two who asked at the same time each hears of the one that did it; who asks later is refused.
  const again = sure.filter(({ invokedAt }) => sure.some(({ endedAt }) => endedAt < invokedAt));
  if (again.length > 0) return `was said to be taken back ${again.length} times more`;
  if (sure.some(({ told }) => told?.id !== one?._id))
    return `was said to be taken back by ${sure[0]?.told?.id}, and was by ${one?._id}`;
  const isRefused = asked.every(({ outcome }) => outcome === 'fail');
  if (one && isRefused) return 'was taken back although that was refused';
  if (one && one.amount !== -pointsOf(serving)) return `was taken back by ${nameOf(one)}`;
  const inTime = asked.some(({ invokedAt }) => invokedAt - serving.endedAt < SURELY_IN_TIME_MS);
  return !one && isRefused && inTime ? 'could not be taken back' : null;
}
