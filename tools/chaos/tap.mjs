// Listens to everything that goes over the broker, through a durable queue of its own that survives what the broker does.
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { digestOf } from './sink.mjs';

/** @typedef {import('./checker/world.mjs').Heard} Heard */
/** @typedef {Awaited<ReturnType<typeof openTap>>} Tap */

const EXCHANGE = 'loyalty.events';
export const TAP_QUEUE = 'chaos.tap';
const PREFETCH = 500;
/** A broker that is frozen or full answers later than that. */
const REPEATED_WITHIN_MS = 10_000;
const DELIVERIES_MAX = 1_000_000;
const RECONNECT_MS = 250;
/** What can be sent again: the last of it, so that hours of a run fit into memory. */
const KEPT_MAX = 20_000;

/** @param {number} ms @param {Promise<unknown>} work @returns {Promise<boolean>} whether it was done by then */
function within(ms, work) {
  const done = work.then(
    () => true,
    () => false,
  );
  return Promise.race([done, pause(ms, false, { ref: false })]);
}

/** @param {string} url */
export async function openTap(url) {
  /** @type {Map<string, Heard>} */
  const heard = new Map();
  /** @type {Map<string, import('amqplib').ConsumeMessage>} */
  const kept = new Map();
  let closing = false;

  /** @param {import('amqplib').ConsumeMessage} message */
  function hear(message) {
    const { id, type, subject, workspaceid, data } = JSON.parse(message.content.toString('utf8'));
    const known = heard.get(id);
    if (known) {
      known.copies += 1;
      return;
    }
    const row = { id, type, workspaceId: workspaceid ?? null, digest: digestOf(data), subject };
    heard.set(id, { ...row, copies: 1 });
    kept.set(id, message);
    if (kept.size > KEPT_MAX) kept.delete(String(kept.keys().next().value));
  }

  /** Resolves once listening; what it resolves to says when that ended. */
  async function listen() {
    const connection = await connect(url);
    connection.on('error', () => {});
    const lost = new Promise((resolve) => connection.once('close', () => resolve(undefined)));
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    await channel.assertExchange(EXCHANGE, 'topic', { durable: true });
    await channel.assertQueue(TAP_QUEUE, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': DELIVERIES_MAX },
    });
    await channel.bindQueue(TAP_QUEUE, EXCHANGE, '#');
    await channel.prefetch(PREFETCH);
    await channel.consume(TAP_QUEUE, (message) => {
      if (!message) return;
      hear(message);
      channel.ack(message);
    });
    return { lost, close: () => connection.close().catch(() => {}) };
  }

  async function listenAgain() {
    while (!closing) {
      await pause(RECONNECT_MS);
      const again = await listen().catch(() => null);
      if (again) return again;
    }
    return null;
  }

  let link = await listen();
  const listening = (async () => {
    for (;;) {
      await link.lost;
      const again = await listenAgain();
      if (!again) return;
      link = again;
    }
  })();

  return {
    heard: () => [...heard.values()],
    /** What was heard, as it was sent. */
    kept: () => [...kept.values()],
    /**
     * Sends messages once more, on a connection of its own, in the order that they are given in.
     *
     * @param {readonly import('amqplib').ConsumeMessage[]} messages
     * @param {number} [withinMs]
     * @returns {Promise<boolean>} whether the broker has them all
     */
    async repeat(messages, withinMs = REPEATED_WITHIN_MS) {
      const connection = await connect(url, { timeout: REPEATED_WITHIN_MS }).catch(() => null);
      if (!connection) return false;
      connection.on('error', () => {});
      try {
        const channel = await connection.createConfirmChannel();
        channel.on('error', () => {});
        for (const { content, fields, properties } of messages)
          channel.publish(EXCHANGE, fields.routingKey, content, properties);
        return await within(withinMs, channel.waitForConfirms());
      } catch {
        return false;
      } finally {
        // Who has died does not say goodbye.
        await within(REPEATED_WITHIN_MS, connection.close());
      }
    },
    async close() {
      closing = true;
      await link.close();
      await listening;
    },
  };
}
