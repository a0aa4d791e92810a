import type { KeyObject } from 'node:crypto';
import type { Timer } from '@laurel/lifecycle';
import { whyHeldBack } from '../../domain/decide-delivery';
import type { DueDelivery } from '../../store/deliveries';
import type { WebhookRow } from '../../store/webhooks';

/** A delivery with the body it sends. */
export interface Loaded extends DueDelivery {
  body: string;
  /** Until when the event is kept, and what is known of its attempts. */
  keptUntil: Date;
}

const LIMIT_FIRST = 4;
const QUICK_MS = 1_000;
const SLOW_MS = 2_000;

function isEarlier(a: Loaded, b: Loaded): boolean {
  const difference = a.occurred_at.getTime() - b.occurred_at.getTime();
  return difference === 0 ? a.event_id < b.event_id : difference < 0;
}

export interface LaneSettings {
  workspaceId: string;
  webhookId: string;
  leaseUntil: number;
  /** In flight at once at most. */
  limitMax: number;
}

/**
 * The queue of one webhook while this process holds its lease. One delivery per subject is in flight
 * at a time and they leave in the order in which they happened; how many leave at once follows what
 * the endpoint can take.
 */
export class Lane {
  /** Loaded and without a recorded result yet: not to be loaded again. */
  readonly held = new Set<string>();
  /** Recorded while a look into the store was under way, which may still show them as waiting. */
  private recordedMeanwhile: Set<string> | null = null;
  inFlight = 0;
  limit: number;
  /** Attempts that failed one after the other. */
  failuresInRow = 0;
  /** Work may have been added since the last look into the store. */
  dirty = true;
  /** There was more to load than fitted. */
  hasMore = false;
  /** Changes of the endpoint that this process is writing: what is read meanwhile may be older. */
  settling = 0;
  /** How many it has begun to write so far. */
  settlements = 0;
  /** Resolves when those changes are written. */
  settled: Promise<unknown> = Promise.resolve();
  leaseUntil: number;
  /** The endpoint has been read at least once. */
  known = false;
  lingering: Timer | undefined;
  readonly workspaceId: string;
  readonly webhookId: string;
  private readonly limitMax: number;
  private readonly first: number;
  private readonly waiting = new Map<string, Loaded[]>();
  private readonly busy = new Set<string>();
  /** Subjects with something waiting and nothing in flight. */
  private readonly sendable = new Set<string>();
  private waitingCount = 0;

  constructor({ workspaceId, webhookId, leaseUntil, limitMax }: LaneSettings) {
    this.workspaceId = workspaceId;
    this.webhookId = webhookId;
    this.leaseUntil = leaseUntil;
    this.limitMax = limitMax;
    this.first = Math.min(LIMIT_FIRST, limitMax);
    this.limit = this.first;
  }

  /** As it was last read; undefined when it is not there any more. */
  webhook: WebhookRow | undefined;
  keys: KeyObject[] = [];

  /** Nothing waits, is in flight or has a result on its way to the store. */
  get isIdle(): boolean {
    return this.held.size === 0 && !this.dirty && !this.hasMore;
  }

  /** Takes over what is known of the endpoint; one that kept failing starts with a single request. */
  meet(webhook: WebhookRow, keys: KeyObject[]): void {
    if (!this.known && webhook.failing_since !== null) {
      this.failuresInRow = 1;
      this.limit = 1;
    }
    this.known = true;
    this.webhook = webhook;
    this.keys = keys;
  }

  get isTroubled(): boolean {
    return this.failuresInRow > 0;
  }

  get queued(): number {
    return this.waitingCount;
  }

  /** Whether the endpoint is to be left alone at this moment. */
  isClosed(now: number): boolean {
    if (this.webhook === undefined || this.leaseUntil <= now) return true;
    return whyHeldBack(this.webhook, new Date(now)) !== null;
  }

  isSendable(now: number): boolean {
    return this.sendable.size > 0 && this.inFlight < this.limit && !this.isClosed(now);
  }

  add(delivery: Loaded): void {
    const { subject } = delivery;
    this.held.add(delivery._id);
    this.waitingCount += 1;
    const queue = this.waiting.get(subject);
    if (!queue) this.waiting.set(subject, [delivery]);
    else {
      const position = queue.findIndex((other) => isEarlier(delivery, other));
      queue.splice(position === -1 ? queue.length : position, 0, delivery);
    }
    if (!this.busy.has(subject)) this.sendable.add(subject);
  }

  /** The next delivery to send; its subject is busy until `sent`. */
  next(): Loaded | undefined {
    const [subject] = this.sendable;
    if (subject === undefined) return undefined;
    this.sendable.delete(subject);
    const queue = this.waiting.get(subject)!;
    const delivery = queue.shift()!;
    if (queue.length === 0) this.waiting.delete(subject);
    this.waitingCount -= 1;
    this.busy.add(subject);
    this.inFlight += 1;
    return delivery;
  }

  sent({ subject }: Loaded): void {
    this.inFlight -= 1;
    this.busy.delete(subject);
    if (this.waiting.has(subject)) this.sendable.add(subject);
  }

  /** The result of a delivery is durable. */
  recorded({ _id }: { _id: string }): void {
    this.held.delete(_id);
    this.recordedMeanwhile?.add(_id);
  }

  /** Looks into the store by `read` and keeps only what this lane does not know yet. */
  async unknownOf<T extends { _id: string }>(read: () => Promise<T[]>): Promise<T[]> {
    const meanwhile = new Set<string>();
    this.recordedMeanwhile = meanwhile;
    try {
      const rows = await read();
      return rows.filter(({ _id }) => !this.held.has(_id) && !meanwhile.has(_id));
    } finally {
      this.recordedMeanwhile = null;
    }
  }

  /**
   * Grows while the endpoint is quick, shrinks at once when it fails or is slow. One that is slow and takes everything keeps the room
   * that it began with: with a single request it would never catch up with a few events a second.
   */
  adapt({ taken, durationMs }: { taken: boolean; durationMs: number }): void {
    this.failuresInRow = taken ? 0 : this.failuresInRow + 1;
    const half = Math.floor(this.limit / 2);
    if (!taken) this.limit = Math.max(1, half);
    else if (durationMs < QUICK_MS) this.limit = Math.min(this.limitMax, this.limit + 1);
    else {
      const kept = durationMs > SLOW_MS ? half : this.limit;
      this.limit = Math.max(kept, Math.min(this.limit + 1, this.first));
    }
  }

  /** Forgets what has not been sent; it stays in the store. */
  drop(): void {
    for (const queue of this.waiting.values()) {
      for (const { _id } of queue) this.held.delete(_id);
    }
    this.waiting.clear();
    this.sendable.clear();
    this.waitingCount = 0;
  }
}
