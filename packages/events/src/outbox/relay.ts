import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@laurel/lifecycle';
import type { Broker } from '../broker/broker';
import type { PublishOutcome } from '../broker/publisher';
import { findDefinition } from '../catalogue';
import { messaging } from '../metrics';
import type { ClaimedEvent, OutboxSource } from './source';

const BATCH_SIZE = 500;
const LEASE_MS = 20_000;
const POLL_MS = 1_000;
const GAUGE_MS = 5_000;
const BACKOFF_MS_FIRST = 100;
const BACKOFF_MS_MAX = 5_000;
/** How long an event stays back whose binding is missing. */
const UNROUTABLE_RETRY_MS = 2_000;

export interface RelaySettings {
  source: OutboxSource;
  broker: Broker;
  logger: Logger;
  /** Names the relay in metrics and logs, e.g. `clients`. */
  name: string;
  batchSize?: number;
  pollMs?: number;
  leaseMs?: number;
}

export interface Relay {
  /** Says that something was committed: it leaves within milliseconds. */
  poke(): void;
  /** Resolves when nothing is pending any more. */
  drained(): Promise<void>;
  /** Finishes the batch in flight, then returns. */
  stop(): Promise<void>;
}

interface Round {
  claimed: number;
  /** False when broker or store let the relay down: it backs off. */
  healthy: boolean;
}
const AWAY: Round = { claimed: 0, healthy: false };

/**
 * Publishes what a source holds: claims with a lease, publishes with confirms, marks after them
 * (docs/adr/0004). One batch at a time, so that one relay keeps the order in which events were
 * made; any number of relays may share a source.
 */
export function startRelay(settings: RelaySettings): Relay {
  const { source, broker, logger, name } = settings;
  const { batchSize = BATCH_SIZE, pollMs = POLL_MS, leaseMs = LEASE_MS } = settings;
  let stopping = false;
  let poked = false;
  let sleeper: { heedsPokes: boolean; wake: () => void } | null = null;
  const rounds: (() => void)[] = [];

  function poke(): void {
    poked = true;
    if (sleeper?.heedsPokes) sleeper.wake();
  }

  async function rest(ms: number, heedsPokes: boolean): Promise<void> {
    if (stopping || (heedsPokes && poked)) return;
    const awake = new AbortController();
    sleeper = { heedsPokes, wake: () => awake.abort() };
    await pause(ms, undefined, { signal: awake.signal }).catch(() => undefined);
    sleeper = null;
  }

  async function run(): Promise<void> {
    let backoff = BACKOFF_MS_FIRST;
    while (!stopping) {
      poked = false;
      const round = broker.isConnected() ? await relayBatch(settings, batchSize, leaseMs) : AWAY;
      for (const done of rounds.splice(0)) done();
      if (round.healthy) {
        backoff = BACKOFF_MS_FIRST;
        if (round.claimed < batchSize) await rest(pollMs, true);
      } else {
        // Every commit pokes; only the broker's return may cut a back-off short.
        await rest(backoff, false);
        backoff = Math.min(backoff * 2, BACKOFF_MS_MAX);
      }
    }
  }

  const stopListening = [broker.onConnected(() => sleeper?.wake()), source.onCommit?.(poke)];
  const gauge = setInterval(() => void measure(source, name, logger), GAUGE_MS);
  gauge.unref();
  const running = run();

  return {
    poke,
    async drained() {
      while (!stopping && (await source.pendingCount()) > 0) {
        const round = new Promise<void>((resolve) => rounds.push(resolve));
        poke();
        await round;
      }
    },
    async stop() {
      stopping = true;
      for (const unlisten of stopListening) unlisten?.();
      clearInterval(gauge);
      sleeper?.wake();
      await running;
      for (const done of rounds.splice(0)) done();
    },
  };
}

/** One batch from claim to mark. Faults of the store count as a failed round; nothing is lost by them. */
async function relayBatch(
  settings: RelaySettings,
  batchSize: number,
  leaseMs: number,
): Promise<Round> {
  const { source, broker, logger, name } = settings;
  try {
    const claimed = await source.claim(batchSize, leaseMs);
    if (claimed.length === 0) return { claimed: 0, healthy: true };
    const outcomes = await broker.publish(claimed.map(({ event }) => event));
    const sorted = sortOutcomes(claimed, outcomes);
    if (sorted.published.length > 0) await source.markPublished(keysOf(sorted.published));
    if (sorted.failed.length > 0) await source.release(keysOf(sorted.failed), 0);
    if (sorted.unroutable.length > 0) {
      await source.release(keysOf(sorted.unroutable), UNROUTABLE_RETRY_MS);
      const types = [...new Set(sorted.unroutable.map(({ event }) => event.type))];
      logger.error(
        { relay: name, types },
        'a binding that must exist is missing; events stay in the outbox',
      );
    }
    messaging.outboxPublished.inc({ relay: name }, sorted.published.length);
    messaging.outboxHeld.inc({ relay: name, reason: 'failed' }, sorted.failed.length);
    messaging.outboxHeld.inc({ relay: name, reason: 'unroutable' }, sorted.unroutable.length);
    return { claimed: claimed.length, healthy: sorted.failed.length === 0 };
  } catch (error) {
    logger.error({ err: error, relay: name }, 'a batch of events could not be relayed');
    return AWAY;
  }
}

interface Sorted {
  published: ClaimedEvent[];
  failed: ClaimedEvent[];
  unroutable: ClaimedEvent[];
}

function sortOutcomes(
  claimed: readonly ClaimedEvent[],
  outcomes: readonly PublishOutcome[],
): Sorted {
  const sorted: Sorted = { published: [], failed: [], unroutable: [] };
  claimed.forEach((row, index) => {
    const outcome = outcomes[index];
    if (outcome === 'failed') sorted.failed.push(row);
    else if (outcome === 'returned' && mustBeHeard(row.event.type)) sorted.unroutable.push(row);
    else sorted.published.push(row);
  });
  return sorted;
}

function mustBeHeard(type: string): boolean {
  return findDefinition(type)?.listeners === 'required';
}

function keysOf(rows: readonly ClaimedEvent[]): string[] {
  return rows.map(({ key }) => key);
}

async function measure(source: OutboxSource, name: string, logger: Logger): Promise<void> {
  try {
    const [pending, oldest] = await Promise.all([source.pendingCount(), source.oldestPendingAt()]);
    messaging.outboxPending.set({ relay: name }, pending);
    messaging.outboxLag.set({ relay: name }, oldest ? (Date.now() - oldest.getTime()) / 1000 : 0);
  } catch (error) {
    logger.warn({ err: error, relay: name }, 'the outbox could not be measured');
  }
}
