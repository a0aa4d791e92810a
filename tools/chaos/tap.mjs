// Listens to everything that goes over the broker, through a durable queue of its own that survives what the broker does.
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { digestOf } from './sink.mjs';

/** @typedef {import('./checker/world.mjs').Heard} Heard */
/** @typedef {Awaited<ReturnType<typeof openTap>>} Tap */

const EXCHANGE = 'loyalty.events';
export const TAP_QUEUE = 'chaos.tap';
const PREFETCH = 500;
const DELIVERIES_MAX = 1_000_000;
const RECONNECT_MS = 250;

/** @param {string} url */
export async function openTap(url) {
  /** @type {Map<string, Heard>} */
  const heard = new Map();
  let closing = false;

  /** @param {Buffer} content */
  function hear(content) {
    const { id, type, subject, workspaceid, data } = JSON.parse(content.toString('utf8'));
    const known = heard.get(id);
    if (known) known.copies += 1;
    else
      heard.set(id, {
        id,
        type,
        workspaceId: workspaceid ?? null,
        digest: digestOf(data),
        copies: 1,
        subject,
      });
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
      hear(message.content);
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
    async close() {
      closing = true;
      await link.close();
      await listening;
    },
  };
}
