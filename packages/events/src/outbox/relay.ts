import type { Logger } from '@laurel/lifecycle';
import { type Broadcast, type Loop, type Next, type Reason, startLoop } from '@laurel/work';
import type { Broker } from '../broker/broker';
import type { PublishOutcome } from '../broker/publisher';
import { findDefinition } from '../catalogue';
import { messaging } from '../metrics';
import type { Tally } from '../tally';
import type { ClaimedEvent, OutboxSource } from './source';

const BATCH_SIZE = 500;
const LEASE_MS = 20_000;
const SWEEP_MS = 10_000;
const BACKOFF_MS_FIRST = 100;
const BACKOFF_MS_MAX = 5_000;
/** How long an event stays back whose binding is missing. */
const UNROUTABLE_RETRY_MS = 2_000;
/** How soon it tries to take the place of one that should relay and may have died. */
const NOT_OURS_RETRY_MS = 5_000;

export interface RelaySettings {
  source: OutboxSource;
  broker: Broker;
  logger: Logger;
  /** Names the relay in metrics and logs, e.g. `clients`. */
  name: string;
  batchSize?: number;
  /** How often it looks although nothing woke it: for what a process left that died. */
  sweepMs?: number;
  leaseMs?: number;
  /** Wakes the replica that relays where this one may not. */
  broadcast?: Broadcast;
  tally?: Tally;
}

interface Round {
  claimed: number;
  /** False when broker or store let the relay down: it backs off. */
  healthy: boolean;
  /** When something that was held back may be tried again. */
  retryInMs?: number;
  /** Another replica is the one that relays. */
  isOthers?: true;
}
const AWAY: Round = { claimed: 0, healthy: false };

/**
 * Publishes what a source holds: claims with a lease, publishes with confirms, marks after them
 * (docs/adr/0004). One batch at a time, so that one relay keeps the order in which events were
 * made; any number of relays may share a source. It sleeps until something is committed.
 */
export function startRelay(settings: RelaySettings): Relay {
  return new Relay(settings);
}

/** A running relay; made by startRelay. */
export class Relay {
  private stopping = false;
  /** Something was committed in this process since the last round. */
  private committed = false;
  /** Another replica relays what is committed here, and knows of this one. */
  private isKnown = false;
  private backoff = BACKOFF_MS_FIRST;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private readonly rounds: (() => void)[] = [];
  private readonly stopListening: readonly ((() => void) | undefined)[];
  private readonly loop: Loop;

  constructor(private readonly settings: RelaySettings) {
    const { source, broker, name, broadcast, sweepMs = SWEEP_MS } = settings;
    this.loop = startLoop({ name: this.topic, sweepMs, look: (reason) => this.look(reason) });
    this.stopListening = [
      broker.onConnected(() => this.loop.wakeUp()),
      source.onCommit?.(() => this.poke()),
      broadcast?.listen((topic) => {
        if (topic !== this.topic) return;
        source.heardOthers?.();
        this.loop.wake();
      }),
    ];
    messaging.outboxPending.set({ relay: name }, 0);
  }

  /** Says that something was committed: it leaves within milliseconds. */
  poke(): void {
    this.committed = true;
    this.loop.wake();
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
    await this.loop.stop();
    await this.settings.source
      .resign?.()
      .catch((error: unknown) =>
        this.settings.logger.warn({ err: error }, 'events wait until their lease ends'),
      );
    this.endRound();
  }

  private get topic(): string {
    return `${this.settings.name}.relay`;
  }

  private async look(reason: Reason): Promise<Next> {
    const { source, broker, batchSize = BATCH_SIZE, broadcast } = this.settings;
    if (reason === 'sweep' && (await this.measure()) === 'nothing') return {};
    const wasCommittedHere = this.committed;
    this.committed = false;
    const round = broker.isConnected() ? await relayBatch(this.settings, batchSize) : AWAY;
    this.endRound();
    if (performance.now() - this.measuredAt >= SWEEP_MS) await this.measure();
    if (!round.healthy) {
      // Every commit wakes; only the broker's return may cut a back-off short.
      const deafMs = this.backoff;
      this.backoff = Math.min(this.backoff * 2, BACKOFF_MS_MAX);
      return { again: true, deafMs };
    }
    this.backoff = BACKOFF_MS_FIRST;
    const hasNews = wasCommittedHere || !this.isKnown;
    this.isKnown = round.isOthers === true;
    if ((round.isOthers && hasNews) || source.takeForOthers?.()) broadcast?.send(this.topic);
    if (round.claimed >= batchSize) return { again: true };
    return round.retryInMs === undefined ? {} : { at: Date.now() + round.retryInMs };
  }

  /** Looks what is pending, whichever process has it in hand; a store that is away counts as something. */
  private async measure(): Promise<'something' | 'nothing'> {
    const { source, name, logger } = this.settings;
    this.measuredAt = performance.now();
    try {
      const oldest = await source.oldestPendingAt();
      const pending = oldest ? await source.pendingCount() : 0;
      messaging.outboxPending.set({ relay: name }, pending);
      messaging.outboxLag.set({ relay: name }, oldest ? (Date.now() - oldest.getTime()) / 1000 : 0);
      return oldest ? 'something' : 'nothing';
    } catch (error) {
      logger.warn({ err: error, relay: name }, 'the outbox could not be measured');
      return 'something';
    }
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
    if (claimed === 'not ours')
      return { claimed: 0, healthy: true, isOthers: true, retryInMs: NOT_OURS_RETRY_MS };
    if (claimed.length === 0) return { claimed: 0, healthy: true };
    const events = claimed.map(({ event }) => event);
    await settings.tally?.sent(events);
    const outcomes = await broker.publish(events);
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
    return {
      claimed: claimed.length,
      healthy: sorted.failed.length === 0,
      ...(sorted.unroutable.length > 0 ? { retryInMs: UNROUTABLE_RETRY_MS } : {}),
    };
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
