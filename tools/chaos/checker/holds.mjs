// H5, H6: operations whose entries carry no tag of the request: captures, releases and refunds.
import { finding, groupBy, nameOf, unitsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */

/**
 * H5: a hold that an answer calls captured or released is; a capture without a request is not there.
 *
 * @param {World} world
 */
export function holdsEndAsTold(world) {
  const found = finding();
  const byId = new Map(world.entries.map((entry) => [entry._id, entry]));
  const asked = world.history.filter(({ kind }) => kind === 'capture' || kind === 'release');
  for (const { kind, of, outcome, entries, id } of asked) {
    if (outcome !== 'ok') continue;
    const entry = byId.get(entries[0]?.id ?? '');
    found.must(
      entry?.source_type === kind && entry.source_id === of,
      () => `${kind} ${id} of hold ${of} was acknowledged and is not in the log`,
    );
  }
  const wanted = new Set(
    asked.filter(({ outcome }) => outcome !== 'fail').map(({ kind, of }) => `${kind} ${of}`),
  );
  for (const entry of world.entries)
    if (entry.source_type === 'capture')
      found.must(
        wanted.has(`capture ${entry.source_id}`),
        () => `nobody asked for ${nameOf(entry)}`,
      );
  return found;
}

/**
 * H6: a refund that was acknowledged is on record once and through; refunds and cancels together never take back more
 * than was earned.
 *
 * @param {World} world
 */
export function refundsAreProportional(world) {
  const found = finding();
  const byId = new Map(world.entries.map((entry) => [entry._id, entry]));
  const recorded = groupBy(
    world.purchaseRefunds.flatMap(({ refunds }) => refunds),
    ({ external_id }) => String(external_id),
  );
  for (const { kind, id, outcome, entries } of world.history) {
    if (kind !== 'refund') continue;
    const rows = recorded.get(id) ?? [];
    const allowed = outcome === 'ok' ? [1] : outcome === 'fail' ? [0] : [0, 1];
    found.must(
      allowed.includes(rows.length),
      () => `refund ${id} (${outcome}) is on record ${rows.length} times`,
    );
    for (const { id: entryId, amount } of entries) {
      const entry = byId.get(entryId);
      found.must(
        entry?.type === 'cancel' && entry.amount === unitsOf(amount),
        () => `refund ${id} was answered with entry ${entryId}, which is not in the log`,
      );
    }
  }
  const taken = groupBy(
    world.entries.filter(({ type, amount }) => type === 'cancel' && amount < 0),
    ({ source_id }) => String(source_id),
  );
  for (const [earnId, reversals] of taken) {
    const earned = byId.get(earnId)?.amount ?? 0;
    const back = -reversals.reduce((sum, { amount }) => sum + amount, 0);
    found.must(back <= earned, () => `${back} of the ${earned} of entry ${earnId} were taken back`);
  }
  for (const { source_id, open, refunds } of world.purchaseRefunds)
    found.must(
      open !== true && refunds.every(({ done }) => done),
      () => `a refund of ${source_id} is left half done`,
    );
  return found;
}

/**
 * H7: a client whose creation was acknowledged is there, or was merged into another; none is there twice, or though
 * it was refused, or without being asked for.
 *
 * @param {World} world
 */
export function clientsAreCreatedOnce(world) {
  const found = finding();
  const known = new Set([
    ...world.clients.map(({ _id }) => _id),
    ...world.tombstones.map(({ _id }) => _id),
  ]);
  // Who takes over a client takes over its tag, too.
  const tagged = groupBy(
    world.clients.filter(({ custom_fields }) => custom_fields?.op !== undefined),
    ({ workspace_id, custom_fields }) => `${workspace_id} ${custom_fields.op}`,
  );
  const asked = world.history.filter(({ kind }) => kind === 'client');
  for (const { id, workspace, outcome, told } of asked) {
    const count = tagged.get(`${workspace} ${id}`)?.length ?? 0;
    found.must(
      count <= (outcome === 'fail' ? 0 : 1),
      () => `client ${id} (${outcome}) is there ${count} times`,
    );
    if (outcome === 'ok')
      found.must(known.has(String(told?.id)), () => `client ${id} was made and is not there`);
  }
  const tags = new Set(asked.map(({ id, workspace }) => `${workspace} ${id}`));
  for (const tag of tagged.keys())
    found.must(tags.has(tag), () => `nobody asked for client ${tag}`);
  return found;
}
