// R5: who brought whom.
import { finding, groupBy, heirsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Referral} Referral */

const BY_HAND = 'manual';

/**
 * R5: a client has been brought once, by somebody else; what completes by itself stops at the cap; and each completion
 * reaches both sides, once.
 *
 * @param {World} world
 */
export function referralsAreCountedOnce(world) {
  const found = finding();
  const { referrals } = world;
  const standing = referrals.filter(({ status }) => status !== 'cancelled');
  for (const [referee, rows] of groupBy(standing, ({ referee_client_id: id }) => String(id)))
    found.must(rows.length === 1, () => `client ${referee} was brought ${rows.length} times`);
  for (const { _id, referrer_client_id, referee_client_id } of referrals)
    found.must(
      referrer_client_id !== referee_client_id,
      () => `in referral ${_id} somebody brought themselves`,
    );
  const completed = referrals.filter(({ status }) => status === 'completed');
  checkCaps(world, completed, found);
  checkEvents(world, found);
  return found;
}

/** @param {World} world @param {Referral[]} completed @param {ReturnType<typeof finding>} found */
function checkCaps({ programs, people, tombstones }, completed, found) {
  const caps = new Map(
    programs.map((program) => [program.workspace_id, program.max_referrals_per_referrer]),
  );
  const merged = new Set(tombstones.map(({ merged_into }) => merged_into));
  const byReferrer = groupBy(completed, ({ referrer_client_id: id }) => String(id));
  for (const [referrer, rows] of byReferrer) {
    const cap = caps.get(rows[0]?.workspace_id ?? '') ?? null;
    const auto = rows.filter(({ qualifying_event_type: type }) => type !== BY_HAND).length;
    found.must(
      cap === null || auto <= cap || merged.has(referrer),
      () => `client ${referrer} completed ${auto} referrals, the cap is ${cap}`,
    );
  }
  for (const { _id, completed: count } of people) {
    const actual = byReferrer.get(_id)?.length ?? 0;
    found.must(count === actual, () => `client ${_id} counts ${count} of ${actual} referrals`);
  }
}

/** @param {World} world @param {ReturnType<typeof finding>} found */
function checkEvents(world, found) {
  const heirOf = heirsOf(world);
  const told = groupBy(
    world.outbox.filter(({ type }) => type.startsWith('referrals.')),
    ({ type, about }) => `${type} ${about.referral_id}`,
  );
  for (const { _id, status, referrer_client_id, referee_client_id } of world.referrals) {
    const created = told.get(`referrals.referral_created ${_id}`)?.length ?? 0;
    found.must(created === 1, () => `referral ${_id} was told ${created} times`);
    const events = told.get(`referrals.referral_completed ${_id}`) ?? [];
    const roles = events.map(({ about }) => `${about.role} ${heirOf(String(about.client_id))}`);
    const due =
      status === 'completed'
        ? [
            `referee ${heirOf(String(referee_client_id))}`,
            `referrer ${heirOf(String(referrer_client_id))}`,
          ]
        : [];
    found.must(
      roles.sort().join() === due.join(),
      () => `referral ${_id} is ${status} and was told as completed to ${roles.join(', ')}`,
    );
  }
}
