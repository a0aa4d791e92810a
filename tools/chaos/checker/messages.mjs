// M1 to M5: every change reaches everybody whom it concerns, once.
import { forgottenIn } from './guests.mjs';
import { finding, groupBy } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Heard} Heard */

/** A row before and after, as far as it fits. */
const SHOWN_MAX = 2_000;

/** Queues whose consumers note every event that they are sent. The others are harmless to repeat by their nature. */
const NOTES_ALL = ['clients.trail', 'clients.passes', 'tiers.members', 'referrals.departures'];
/** Notes what webhooks may carry in workspaces that have one. */
const FAN_OUT = 'integrations.webhook-fanout';

/** Names that differ between the broker and webhooks (part 3, section 14). @type {Record<string, string>} */
const WEBHOOK_NAMES = {
  'clients.created': 'client.created',
  'clients.updated': 'client.updated',
  'clients.deleted': 'client.deleted',
  'clients.merged': 'client.merged',
  'clients.field_change': 'field_change',
  'tiers.tier_promoted': 'tier_promoted',
  'tiers.tier_demoted': 'tier_demoted',
  'rewards.reward_redeemed': 'reward_redeemed',
  'rewards.reward_used': 'reward_used',
  'rewards.reward_cancelled': 'reward_cancelled',
  'referrals.referral_created': 'referral_created',
  'referrals.referral_completed': 'referral_completed',
  'referrals.referral_cancelled': 'referral_cancelled',
  'transaction.purchase': 'transaction.purchase',
};

/** @param {string} type @returns {string | null} null for what this checker does not know to be carried */
const webhookNameOf = (type) =>
  type.startsWith('loyalty.points_') ? type : (WEBHOOK_NAMES[type] ?? null);

/**
 * Whether a topic exchange sends a routing key to a binding: `*` is one word, `#` any number.
 *
 * @param {string} pattern
 * @param {string} key
 */
export function isBound(pattern, key) {
  if (pattern === '#') return true;
  const words = pattern.split('.');
  const parts = key.split('.');
  for (let position = 0; position < words.length; position += 1) {
    if (words[position] === '#') return true;
    if (words[position] !== '*' && words[position] !== parts[position]) return false;
    if (position >= parts.length) return false;
  }
  return words.length === parts.length;
}

/**
 * M1: nothing waits to be published, and what was heard on the broker is exactly what was committed.
 *
 * @param {World} world
 */
export function eventsLeaveOnce(world) {
  const found = finding();
  const heard = new Map(world.heard.map((event) => [event.id, event]));
  for (const { id, type, pending, service } of world.outbox) {
    found.must(!pending, () => `${type} ${id} is still in the outbox of ${service}`);
    found.must(heard.get(id)?.type === type, () => `${type} ${id} of ${service} was never heard`);
  }
  for (const { _id, unrelayed, type, workspace_id } of world.entries) {
    found.must(unrelayed === undefined, () => `${type} ${_id} is still to be relayed`);
    const event = heard.get(_id);
    found.must(
      event?.type.startsWith('loyalty.points_') === true && event.workspaceId === workspace_id,
      () => `the event of ${type} ${_id} was never heard`,
    );
  }
  const committed = new Set([
    ...world.outbox.map(({ id }) => id),
    ...world.entries.map(({ _id }) => _id),
  ]);
  for (const { id, type } of world.heard)
    found.must(committed.has(id), () => `${type} ${id} was heard and never committed`);
  return found;
}

/**
 * M2: every consumer handled every event that it is bound to, and none that was not sent.
 *
 * @param {World} world
 */
export function eventsAreHandledOnce(world) {
  const found = finding();
  const heard = new Map(world.heard.map((event) => [event.id, event]));
  const handled = groupBy(world.inbox, ({ key }) => key.split(':')[0] ?? '');
  const bindings = groupBy(world.bindings, ({ queue }) => queue);
  const isSentTo = (/** @type {string} */ queue, /** @type {Heard} */ { type }) =>
    (bindings.get(queue) ?? []).some(({ pattern }) => isBound(pattern, type));
  for (const [queue, rows] of handled) {
    for (const { key } of rows) {
      const event = heard.get(key.split(':')[1] ?? '');
      found.must(
        event !== undefined && isSentTo(queue, event),
        () => `${queue} handled ${key}, which it was never sent`,
      );
    }
  }
  const withWebhook = new Set(world.webhooks.map(({ workspace_id }) => workspace_id));
  for (const queue of [...NOTES_ALL, FAN_OUT]) {
    const done = new Set((handled.get(queue) ?? []).map(({ key }) => key.split(':')[1]));
    for (const event of world.heard) {
      const isConcerned =
        queue !== FAN_OUT ||
        (withWebhook.has(event.workspaceId ?? '') && webhookNameOf(event.type) !== null);
      if (isConcerned && isSentTo(queue, event))
        found.must(done.has(event.id), () => `${queue} never handled ${event.type} ${event.id}`);
    }
  }
  return found;
}

/**
 * M3: no queue holds a message, neither waiting nor in hand nor parked.
 *
 * @param {World} world
 */
export function queuesAreEmpty(world) {
  const found = finding();
  for (const { name, ready, unacknowledged } of world.queues)
    found.must(
      ready === 0 && unacknowledged === 0,
      () => `queue ${name} holds ${ready} messages and has ${unacknowledged} in hand`,
    );
  return found;
}

/** @param {string[]} wanted @param {string} name */
const asksFor = (wanted, name) => wanted.includes('*') || wanted.includes(name);

/**
 * M4: each event has one delivery to each webhook of its workspace that asks for it; every delivery arrived, signed
 * and unaltered; nothing else arrived, least of all from another workspace.
 *
 * @param {World} world
 */
export function webhooksArrive(world) {
  const found = finding();
  const heard = new Map(world.heard.map((event) => [event.id, event]));
  const pair = (/** @type {string} */ webhook, /** @type {string} */ event) =>
    `${webhook} ${event}`;
  const deliveries = groupBy(world.deliveries, ({ webhook_id, event_id }) =>
    pair(webhook_id, event_id),
  );
  // What had not arrived when somebody was forgotten arrives without them.
  const canaries = forgottenIn(world);
  const forgotten = new Set(
    world.guests.filter(({ canary }) => canaries.has(canary)).map(({ clientId }) => clientId),
  );
  const received = new Map(world.received.map((one) => [pair(one.webhookId, one.eventId), one]));
  for (const { _id, workspace_id, event_types } of world.webhooks) {
    for (const { id, type, workspaceId } of world.heard) {
      const name = webhookNameOf(type);
      if (workspaceId !== workspace_id || name === null || !asksFor(event_types, name)) continue;
      const count = deliveries.get(pair(_id, id))?.length ?? 0;
      found.must(count === 1, () => `${type} ${id} has ${count} deliveries to webhook ${_id}`);
    }
  }
  for (const { webhook_id, event_id, status, workspace_id } of world.deliveries) {
    const event = heard.get(event_id);
    found.must(
      event !== undefined && event.workspaceId === workspace_id,
      () => `webhook ${webhook_id} was to be told of ${event_id}, which is not of its workspace`,
    );
    found.must(status === 'delivered', () => `${event_id} to webhook ${webhook_id} is ${status}`);
    const arrived = received.get(pair(webhook_id, event_id));
    found.must(
      arrived !== undefined &&
        (arrived.digest === event?.digest || forgotten.has(String(event?.subject))),
      () => `${event_id} never arrived at webhook ${webhook_id} as it was sent`,
    );
  }
  for (const { webhookId, eventId, workspaceId, forged } of world.received) {
    found.must(
      forged === 0,
      () => `${eventId} arrived at webhook ${webhookId} with a bad signature`,
    );
    found.must(
      deliveries.get(pair(webhookId, eventId))?.[0]?.workspace_id === workspaceId,
      () => `${eventId} arrived at webhook ${webhookId} without a delivery of its workspace`,
    );
  }
  return found;
}

/**
 * M5: events that come again, each twice and in another order, change no row.
 *
 * @param {World} world
 */
export function replaysChangeNothing({ replayed }) {
  const found = finding();
  found.checked = replayed.messages;
  for (const change of replayed.changed) found.must(false, () => change.slice(0, SHOWN_MAX));
  return found;
}
