import type { CloudEvent } from '../envelope';

export interface ClaimedEvent {
  /** Names the row in its source; opaque to the relay. */
  key: string;
  event: CloudEvent;
}

/**
 * Where committed events wait for the relay. Implemented by the outbox, and by the ledger over its
 * entries. Every method is safe on any number of replicas.
 */
export interface OutboxSource {
  /**
   * Takes up to `limit` pending rows, oldest first, that no other holds, for `leaseMs`, and what has to leave before one of
   * them. A row whose lease ran out is free again: it may be published twice, never lost. `not ours` where one replica relays for all,
   * and it is another.
   */
  claim(limit: number, leaseMs: number): Promise<ClaimedEvent[] | 'not ours'>;
  /** Whether something was committed in this process, since this was last asked, that another replica relays. */
  takeForOthers?(): boolean;
  /** Another replica has something to be relayed: what waits was not all committed in this process. */
  heardOthers?(): void;
  /** Marks rows as published, after the broker confirmed them. Marking twice is the same as once. */
  markPublished(keys: readonly string[]): Promise<void>;
  /** Gives rows back: no process claims them for `retryInMs` (0: at once). */
  release(keys: readonly string[], retryInMs: number): Promise<void>;
  /** Ends the part that this process has in relaying: what it holds may be taken by others at once. */
  resign?(): Promise<void>;
  pendingCount(): Promise<number>;
  /** Whether anything of one workspace is pending, claimed or not. */
  isPending(workspaceId: string): Promise<boolean>;
  /** When the oldest pending row was committed; null when there is none. */
  oldestPendingAt(): Promise<Date | null>;
  /** Calls `listener` when rows may have been committed in this process; returns how to stop that. */
  onCommit?(listener: () => void): () => void;
}
