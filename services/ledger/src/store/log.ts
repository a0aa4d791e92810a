import { type Context, currentContext } from '@laurel/lifecycle';
import { refusals } from '../refusals';
import type { Command, Outcome, Reversal } from './command';
import type { CommitListener, LogParts } from './log-parts';
import { ledgerMetrics } from './metrics';
import type { PairCommand, PairOutcome } from './pair-flight';
import { createTraffic } from './traffic';

/** Beyond this many waiting operations new ones are turned away: no caller would wait for their answers. */
const WAITING_MAX = 50_000;

export type Log = ReturnType<typeof createLog>;

/**
 * The one way into the ledger. An operation is one insert: entry n+1 of its wallet, which the unique
 * index on (wallet, sequence) lets exactly one writer have (docs/adr/0006). Operations are queued
 * per wallet (`lanes.ts`); whatever waits goes in together (`traffic.ts`). A writer that lost a place decides
 * again on what the winner left (`flight.ts`).
 */
export function createLog(parts: LogParts) {
  const listeners = new Set<CommitListener>();
  const traffic = createTraffic({
    ...parts,
    committed(written) {
      for (const listener of listeners) listener.committed(written);
    },
    unheard() {
      for (const listener of listeners) listener.unheard();
    },
  });
  let waiting = 0;

  function count<T>(work: Promise<T>): Promise<T> {
    waiting += 1;
    ledgerMetrics.waiting.inc();
    return work.finally(() => {
      waiting -= 1;
      ledgerMetrics.waiting.dec();
    });
  }

  function admit(): Context {
    if (waiting >= WAITING_MAX) throw refusals.busy();
    return currentContext();
  }

  return {
    /** Commits one operation; resolves once it is durable. null when there was nothing to do. */
    async perform(command: Command | Reversal): Promise<Outcome | null> {
      const context = admit();
      return count(
        new Promise<Outcome | null>((resolve, reject) =>
          traffic.queue({ command, context, attempts: 0, resolve, reject }),
        ),
      );
    },

    /** Commits one entry in each of two wallets: both or neither, for every reader. */
    async performPair(pair: PairCommand): Promise<PairOutcome> {
      const context = admit();
      return count(
        new Promise<PairOutcome>((resolve, reject) =>
          traffic.queuePair({ ...pair, context, resolve, reject }),
        ),
      );
    },

    /** Tells what becomes of the writes of this process. */
    follow(listener: CommitListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Resolves when nothing is waiting and every snapshot stands. */
    async drained(): Promise<void> {
      while (waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await parts.snapshots.settled();
    },
  };
}
