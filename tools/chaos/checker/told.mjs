// H8 to H10: what answers said to clients of rewards, merges, purchases and referrals.
import { isOfPortal } from './doors.mjs';
import { finding, groupBy, unitsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Operation} Operation */
/** @typedef {import('./world.mjs').Outcome} Outcome */
/** @typedef {ReturnType<typeof finding>} Finding */

/** How often something may be there. @type {Record<Outcome, number[]>} */
const ALLOWED = { ok: [1], fail: [0], unknown: [0, 1] };

/** What stands in the trail as an event. */
const TRANSACTIONS = ['buy', 'sell', 'return'];

/** @param {World} world @param {string} kind */
const asked = ({ history }, kind) => history.filter((one) => one.kind === kind);

/** What operations were not refused, by what they were about. @param {World} world @param {string} kind */
const wantedOf = (world, kind) =>
  groupBy(
    asked(world, kind).filter(({ outcome }) => outcome !== 'fail'),
    ({ of }) => String(of),
  );

/**
 * H8: who has an answer that a reward is theirs has it, once and as answered; who was refused has not; cancelled and used is
 * what somebody asked to be, and nothing else.
 *
 * @param {World} world
 */
export function redemptionsAreAsTold(world) {
  const found = finding();
  const rows = groupBy(
    world.redemptions.filter((one) => one.source !== 'campaign' && !isOfPortal(one)),
    ({ metadata }) => String(metadata.op),
  );
  const requests = asked(world, 'redeem');
  for (const { id, outcome, told, body } of requests) {
    const made = rows.get(id) ?? [];
    const [row] = made;
    found.must(
      ALLOWED[outcome].includes(made.length),
      () => `redeem ${id} (${outcome}) made ${made.length} redemptions`,
    );
    if (outcome !== 'ok' || !row) continue;
    found.must(
      row._id === told?.redemption?.id &&
        row.points_spent === unitsOf(told.redemption.points_spent) &&
        row.coupon_id === told.redemption.coupon_id &&
        row.reward_id === body.reward_id,
      () => `redeem ${id} was told of another redemption than ${row._id}`,
    );
  }
  const known = new Set(requests.map(({ id }) => id));
  for (const op of rows.keys())
    found.must(known.has(op), () => `nobody asked for redemption ${op}`);
  checkEndings(world, found);
  checkEvents(world, found);
  return found;
}

/** @param {World} world @param {Finding} found */
function checkEndings(world, found) {
  const cancels = wantedOf(world, 'unredeem');
  const uses = wantedOf(world, 'use');
  for (const { _id, status, used_at } of world.redemptions) {
    const wanted = cancels.get(_id) ?? [];
    const isCancelled = status === 'cancelled';
    found.must(
      isCancelled
        ? wanted.length > 0
        : status === 'fulfilled' && wanted.every(({ outcome }) => outcome !== 'ok'),
      () => `redemption ${_id} is ${status} after ${wanted.length} cancellations`,
    );
    if (isCancelled) continue;
    const possible = new Set([
      ...((uses.get(_id)?.every(({ outcome }) => outcome !== 'ok') ?? true) ? [false] : []),
      ...(uses.get(_id) ?? []).map(({ body }) => body.used),
    ]);
    found.must(
      possible.has(used_at !== null),
      () => `redemption ${_id} is used at ${used_at}, which nobody asked for`,
    );
  }
}

/** @param {World} world @param {Finding} found */
function checkEvents({ outbox, redemptions }, found) {
  const told = groupBy(
    outbox.filter(({ type }) => /^rewards\.reward_(redeem|cancell)ed$/.test(type)),
    ({ type, about }) => `${type} ${about.redemption?.id}`,
  );
  for (const { _id, status } of redemptions) {
    const redeemed = told.get(`rewards.reward_redeemed ${_id}`)?.length ?? 0;
    const cancelled = told.get(`rewards.reward_cancelled ${_id}`)?.length ?? 0;
    found.must(
      redeemed === 1 && cancelled === (status === 'cancelled' ? 1 : 0),
      () => `redemption ${_id}, ${status}, was told ${redeemed} and ${cancelled} times`,
    );
  }
}

/**
 * H9: a merge that was acknowledged has happened, one that happened was asked for, and its event came once.
 *
 * @param {World} world
 */
export function mergesAreAsTold(world) {
  const found = finding();
  const { clients } = world;
  const tombstones = world.tombstones.filter(({ merged_into }) => merged_into !== null);
  const mergedInto = new Map(tombstones.map(({ _id, merged_into }) => [_id, merged_into]));
  const alive = new Set(clients.map(({ _id }) => _id));
  const requests = asked(world, 'merge');
  for (const { id, outcome, body } of requests)
    found.must(
      outcome !== 'ok' || mergedInto.get(body.source_client_id) === body.target_client_id,
      () => `merge ${id} was acknowledged and did not happen`,
    );
  const wanted = new Set(
    requests
      .filter(({ outcome }) => outcome !== 'fail')
      .map(({ body }) => `${body.source_client_id} ${body.target_client_id}`),
  );
  const told = groupBy(
    world.outbox.filter(({ type }) => type === 'clients.merged'),
    ({ about }) => String(about.source_client_id),
  );
  for (const { _id, merged_into } of tombstones) {
    found.must(wanted.has(`${_id} ${merged_into}`), () => `nobody asked to merge client ${_id}`);
    found.must(!alive.has(_id), () => `client ${_id} was merged and is still there`);
    found.must(told.get(_id)?.length === 1, () => `the merge of ${_id} was not told once`);
  }
  return found;
}

/**
 * H10: a purchase or refund that was acknowledged is recorded once, and linked as answered; a client has one code; a referral that was acknowledged is
 * there, between those that the answer named; and it ended as an answer said.
 *
 * @param {World} world
 */
export function newsIsAsTold(world) {
  const found = finding();
  const recorded = groupBy(world.trail, ({ external_id }) => String(external_id));
  for (const { id, kind, outcome, told, body } of TRANSACTIONS.flatMap((one) =>
    asked(world, one),
  )) {
    const rows = recorded.get(body.external_id) ?? [];
    found.must(
      ALLOWED[outcome].includes(rows.length),
      () => `${kind} ${id} (${outcome}) is recorded ${rows.length} times`,
    );
    const state = rows[0]?.refund_link?.state ?? null;
    found.must(
      outcome !== 'ok' || (told?.refund_link ?? null) === state,
      () => `${kind} ${id} was told of a link that is ${told?.refund_link}, it is ${state}`,
    );
  }
  const owners = new Map(
    world.codes.map((row) => [`${row.workspace_id} ${row.code}`, row.client_id]),
  );
  for (const { id, outcome, told, workspace, of } of asked(world, 'code'))
    found.must(
      outcome !== 'ok' || owners.get(`${workspace} ${told?.code}`) === of,
      () => `code ${told?.code} of ${id} is not the client's`,
    );
  checkReferrals(world, found);
  return found;
}

/** @param {World} world @param {Finding} found */
function checkReferrals(world, found) {
  const made = groupBy(world.referrals, ({ operation_id }) => operation_id);
  for (const { id, outcome, told, workspace, body } of asked(world, 'refer')) {
    const rows = made.get(`${workspace} ${id}`) ?? [];
    const applied = told?.outcome === 'applied';
    const allowed = outcome === 'unknown' ? [0, 1] : [applied ? 1 : 0];
    found.must(
      allowed.includes(rows.length),
      () => `refer ${id} (${told?.outcome ?? outcome}) made ${rows.length} referrals`,
    );
    for (const { _id, referee_client_id, referral_code } of rows)
      found.must(
        referee_client_id === body.referee_client_id &&
          referral_code === body.code &&
          (!applied || _id === told?.referral_id),
        () => `refer ${id} made referral ${_id} of somebody else`,
      );
  }
  const status = new Map(world.referrals.map((row) => [row._id, row.status]));
  for (const [kind, due] of [
    ['complete', 'completed'],
    ['unrefer', 'cancelled'],
  ])
    for (const { id, outcome, of } of asked(world, String(kind)))
      found.must(
        outcome !== 'ok' || status.get(String(of)) === due,
        () => `${kind} ${id} of referral ${of} was acknowledged, it is ${status.get(String(of))}`,
      );
}
