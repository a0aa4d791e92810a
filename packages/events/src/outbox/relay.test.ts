import { silentLogger, until } from '@laurel/testing';
import { type Relay, startRelay } from './relay';
import type { OutboxSource } from './source';

let relays: Relay[] = [];
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  relays = [];
});

/** What is said to all replicas, in one process. */
function joined() {
  const listeners = new Set<(topic: string) => void>();
  let said = 0;
  return {
    said: () => said,
    send(topic: string): void {
      said += 1;
      for (const listener of listeners) listener(topic);
    },
    listen(listener: (topic: string) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Where one replica relays for all: this one or another. */
function source(isOurs: boolean) {
  let heard = 0;
  let commit: () => void = () => undefined;
  const own: OutboxSource = {
    claim: async () => (isOurs ? [] : 'not ours'),
    heardOthers: () => {
      heard += 1;
    },
    markPublished: async () => undefined,
    release: async () => undefined,
    pendingCount: async () => 1,
    isPending: async () => true,
    oldestPendingAt: async () => new Date(),
    onCommit: (listener) => {
      commit = listener;
      return () => undefined;
    },
  };
  return { own, heard: () => heard, commit: () => commit() };
}

const broker = {
  isConnected: () => true,
  onConnected: () => () => undefined,
  publish: async () => [],
} as never;

test('a relay hears of another replica before that commits, and again with each commit', async () => {
  const broadcast = joined();
  const [relaying, other] = [source(true), source(false)];
  const start = (its: OutboxSource) =>
    relays.push(
      startRelay({
        source: its,
        broker,
        broadcast,
        logger: silentLogger,
        name: 'log',
        sweepMs: 50,
      }),
    );
  start(relaying.own);
  start(other.own);
  await until(() => relaying.heard() === 1);
  expect(broadcast.said()).toBe(1);
  other.commit();
  await until(() => relaying.heard() === 2);
  expect(broadcast.said()).toBe(2);
});
