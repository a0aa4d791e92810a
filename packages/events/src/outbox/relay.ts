import { setTimeout as pause } from 'node:timers/promises';
import { every, type Logger, runInBackground, type Timer } from '@laurel/lifecycle';
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
  return new Relay(settings);
}

/** A running relay; made by startRelay. */
export class Relay {
  private stopping = false;
  private poked = false;
  private sleeper: { heedsPokes: boolean; wake: () => void } | null = null;
  private readonly rounds: (() => void)[] = [];
  private readonly stopListening: readonly ((() => void) | undefined)[];
  private readonly gauge: Timer;
  private readonly running: Promise<void>;

  constructor(private readonly settings: RelaySettings) {
    const { source, broker, name, logger } = settings;
    this.stopListening = [
      broker.onConnected(() => this.sleeper?.wake()),
      source.onCommit?.(() => this.poke()),
    ];
    this.gauge = every(`${name}.gauge`, GAUGE_MS, () => void measure(source, name, logger));
    this.running = runInBackground(`${name}.relay`, () => this.run());
  }

  /** Says that something was committed: it leaves within milliseconds. */
  poke(): void {
    this.poked = true;
    if (this.sleeper?.heedsPokes) this.sleeper.wake();
  }

  /** Resolves when nothing is pending any more. */
  async drained(): Promise<void> {
    while (!this.stopping && (await this.settings.source.pendingCount()) > 0) {
      const round = new Promise<void>((resolve) => this.rounds.push(resolve));
      this.poke();
      await round;
    }
  }

  /** Finishes the batch in flight, then returns. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const unlisten of this.stopListening) unlisten?.();
    this.gauge.cancel();
    this.sleeper?.wake();
    await this.running;
    this.endRound();
  }

  private async run(): Promise<void> {
    const { broker, batchSize = BATCH_SIZE, pollMs = POLL_MS } = this.settings;
    let backoff = BACKOFF_MS_FIRST;
    while (!this.stopping) {
      this.poked = false;
      const round = broker.isConnected() ? await relayBatch(this.settings, batchSize) : AWAY;
      this.endRound();
      if (round.healthy) {
        backoff = BACKOFF_MS_FIRST;
        if (round.claimed < batchSize) await this.rest(pollMs, true);
      } else {
        // Every commit pokes; only the broker's return may cut a back-off short.
        await this.rest(backoff, false);
        backoff = Math.min(backoff * 2, BACKOFF_MS_MAX);
      }
    }
  }

  private async rest(ms: number, heedsPokes: boolean): Promise<void> {
    if (this.stopping || (heedsPokes && this.poked)) return;
    const awake = new AbortController();
    this.sleeper = { heedsPokes, wake: () => awake.abort() };
    await pause(ms, undefined, { signal: awake.signal }).catch(() => undefined);
    this.sleeper = null;
  }

  private endRound(): void {
    for (const done of this.rounds.splice(0)) done();
  }
}

/** One batch from claim to mark. Faults of the store count as a failed round; nothing is lost by them. */
async function relayBatch(settings: RelaySettings, batchSize: number): Promise<Round> {
  const { source, broker, logger, name, leaseMs = LEASE_MS } = settings;
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
