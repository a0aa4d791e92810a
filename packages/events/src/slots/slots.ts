import { setTimeout as pause } from 'node:timers/promises';
import { every, type Logger, mayFail, type Timer } from '@laurel/lifecycle';
import type { ConfirmChannel } from 'amqplib';
import type { RunningBroadcast } from '../broker/broadcast';
import type { Broker } from '../broker/broker';
import type { Lock } from '../broker/lock';
import type { ManagedChannel } from '../broker/managed-channel';
import { messaging } from '../metrics';
import { EVERY_SLOT, SLOTS } from './slot-of';

const LOOK_MS = 5_000;
/** Looks after which a slot that another held is asked for again without a call: one may be lost. */
const ASK_AGAIN_AFTER = 12;
/** How long a process waits for a slot before it begins without one. */
const FIRST_SLOT_MS = 5_000;

/** Works on the slots that this process holds. */
export interface SlotUser {
  /** There is one more in `held()`. */
  gained(): void;
  /** Finishes what it has in hand of a slot. Another process begins with the slot when this has resolved. Must not reject. */
  lost(slot: number): Promise<void>;
}

/** The slots of a service that this process holds, and no other does (docs/adr/0040). */
export interface Slots {
  holds(slot: number): boolean;
  held(): readonly number[];
  /** Tells `user` of every change from now on; returns how to stop that. */
  use(user: SlotUser): () => void;
}

interface SlotsSettings {
  broker: Broker;
  broadcast: RunningBroadcast;
  logger: Logger;
  /** How often it looks without a call: for what a process left that died. */
  lookMs?: number;
}

/**
 * Takes this process's share of the slots of its service, and keeps to it as replicas come and go. Resolves when it holds
 * one; after five seconds in any case, for there may be more replicas than slots, and the broker may be away.
 */
export async function takeSlots(settings: SlotsSettings): Promise<SharedSlots> {
  const slots = new SharedSlots(settings);
  await slots.begun();
  return slots;
}

/** Slots that are being shared; made by takeSlots. */
export class SharedSlots implements Slots {
  private readonly locks = new Map<number, Lock>();
  private readonly users = new Set<SlotUser>();
  /** Slots that another was found to hold; asked for again when something has changed, and now and then. */
  private readonly refused = new Set<number>();
  private readonly name: string;
  private readonly channel: ManagedChannel;
  private readonly looking: Timer;
  private readonly stopListening: () => void;
  private readonly first = new AbortController();
  private replicas = 0;
  private looks = 0;
  private looked: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(private readonly settings: SlotsSettings) {
    const { broker, broadcast, lookMs = LOOK_MS } = settings;
    this.name = `${broker.exchange}.${broker.service}.slot`;
    this.stopListening = broadcast.listen((topic) => {
      if (topic === this.name) this.lookAgain();
    });
    this.channel = broker.openChannel({
      name: 'slots',
      setup: (opened) => this.join(opened),
      afterOpen: () => {
        this.lookAgain();
        void this.callOthers();
      },
    });
    this.looking = every(this.name, lookMs, () => this.look());
    // Who never got one is counted, too.
    this.count();
  }

  holds(slot: number): boolean {
    return this.locks.has(slot);
  }

  held(): readonly number[] {
    return [...this.locks.keys()];
  }

  use(user: SlotUser): () => void {
    this.users.add(user);
    return () => this.users.delete(user);
  }

  /** Resolves when it holds a slot or has waited long enough for one. */
  async begun(): Promise<void> {
    if (this.locks.size > 0) return;
    await pause(FIRST_SLOT_MS, undefined, { signal: this.first.signal }).catch(
      mayFail('the first slot ends the pause'),
    );
  }

  /** Lets all slots go at once to who is left. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.looking.cancel();
    this.stopListening();
    // A look that a broker with an alarm has not read ends with the connection.
    if (!this.settings.broker.isBlocked()) await this.looked;
    // Those who are left divide the slots by who is there.
    await this.channel.close();
    await this.letGo(this.held());
  }

  private async join(channel: ConfirmChannel): Promise<void> {
    await channel.assertQueue(this.name, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum' },
    });
    await channel.consume(this.name, () => undefined);
  }

  /** Who holds more than its share from now on should hear it at once: this process may be waiting for its first slot. */
  private async callOthers(): Promise<void> {
    const { broadcast } = this.settings;
    // Closed meanwhile: there is no call to make any more.
    await broadcast.opened().catch(mayFail('closed meanwhile: there is no call to make'));
    broadcast.send(this.name);
    // What others let go before this process could hear of it.
    this.lookAgain();
  }

  private lookAgain(): void {
    this.refused.clear();
    this.look();
  }

  private look(): void {
    this.looked = this.looked.then(() => this.balance());
  }

  private async balance(): Promise<void> {
    const channel = this.channel.current();
    if (!channel || this.stopping) return;
    try {
      const { consumerCount } = await channel.checkQueue(this.name);
      this.looks += 1;
      if (consumerCount !== this.replicas || this.looks % ASK_AGAIN_AFTER === 0)
        this.refused.clear();
      this.replicas = consumerCount;
      const share = Math.ceil(SLOTS / Math.max(consumerCount, 1));
      if (this.locks.size > share) await this.letGo(this.held().slice(share));
      else await this.takeUp(share);
    } catch (error) {
      this.settings.logger.warn({ err: error }, 'the slots could not be shared');
    }
  }

  private async takeUp(share: number): Promise<void> {
    // Replicas that start together begin at different places.
    const from = Math.floor(Math.random() * SLOTS);
    for (const slot of [...EVERY_SLOT.slice(from), ...EVERY_SLOT.slice(0, from)]) {
      if (this.locks.size >= share || this.stopping) break;
      if (!this.locks.has(slot) && !this.refused.has(slot)) await this.take(slot);
    }
  }

  private async take(slot: number): Promise<void> {
    const lock = await this.settings.broker.takeLock(`${this.name}.${slot}`);
    if (!lock) {
      this.refused.add(slot);
      return;
    }
    this.locks.set(slot, lock);
    this.count();
    void lock.lost.then(() => {
      if (this.locks.get(slot) !== lock) return;
      this.locks.delete(slot);
      this.count();
      for (const user of this.users) void user.lost(slot);
    });
    this.first.abort();
    for (const user of this.users) user.gained();
  }

  private async letGo(slots: readonly number[]): Promise<void> {
    await Promise.all(
      slots.map(async (slot) => {
        const lock = this.locks.get(slot);
        this.locks.delete(slot);
        this.count();
        await Promise.all([...this.users].map((user) => user.lost(slot)));
        await lock?.release();
      }),
    );
    if (slots.length > 0) this.settings.broadcast.send(this.name);
  }

  private count(): void {
    messaging.slotsHeld.set({ service: this.settings.broker.service }, this.locks.size);
  }
}
