import type { Context, Logger } from '@laurel/lifecycle';
import { currentContext, later } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { Draft, Moment, Wallet } from '../domain/types';
import { refusals } from '../refusals';
import type { EntryDocument, WalletRef } from './documents';
import type { EntryStore } from './entries';
import { createFlight, type Lane, type Task } from './flight';
import type { Heads } from './heads';
import { ledgerMetrics } from './metrics';
import { flyPair, type PairCommand, type PairOutcome, type PairTask } from './pair-flight';
import type { Snapshots } from './snapshots';

/** Something that one wallet is asked to do. */
export interface Command {
  wallet: WalletRef;
  /** Takes effect once per workspace, whoever repeats it. */
  operationId: string;
  /** A second name under which it takes effect once: an external_id, or the entry it reverses. */
  claim?: string | undefined;
  /** Pure; throws refusals; null when there is nothing to do. May be asked again on a newer wallet. */
  decide: (wallet: Wallet, moment: Moment) => Draft | null;
}

export interface Outcome {
  entry: EntryDocument;
  /** Set when the entry was there before: found by its operation, or by its claim alone. */
  replayed: 'operation' | 'claim' | null;
}

export interface LogParts {
  connection: Connection;
  entries: EntryStore;
  heads: Heads;
  snapshots: Snapshots;
  logger: Logger;
  now: (workspaceId?: string) => number;
}

const FLIGHTS_MAX = 2;
const LANES_PER_FLIGHT_MAX = 256;
/** Beyond this many waiting operations new ones are turned away: nobody would wait for their answers. */
const WAITING_MAX = 50_000;
const PAUSE_MS_MAX = 40;

export type CommitListener = (written: readonly EntryDocument[]) => void;

export type Log = ReturnType<typeof createLog>;

/**
 * The one way into the ledger. An operation is one insert: entry n+1 of its wallet, which the unique
 * index on (wallet, sequence) lets exactly one writer have (design.md, section 4). Operations are queued
 * per wallet; whatever waits goes in together: one entry each of many wallets as one unordered insert, or
 * the queue of one hot wallet as one ordered insert. Starts at once when idle, gathers while writes are
 * in flight. A writer that lost a place decides again on what the winner left.
 */
export function createLog(parts: LogParts) {
  const lanes = new Map<string, Lane>();
  const ready = new Set<Lane>();
  const pairs: PairTask[] = [];
  const listeners = new Set<CommitListener>();
  const flight = createFlight({ ...parts, committed });
  let flights = 0;
  let waiting = 0;
  let waking = false;

  function committed(written: readonly EntryDocument[]): void {
    for (const listener of listeners) listener(written);
  }

  function laneOf(ref: WalletRef): Lane {
    let lane = lanes.get(ref.id);
    if (!lane) {
      lane = { ref, tasks: [], busy: false, proveFirst: false, failures: 0 };
      lanes.set(ref.id, lane);
    }
    return lane;
  }

  /** Starts what can start once everything that came in together is queued. */
  function wake(): void {
    if (waking) return;
    waking = true;
    setImmediate(() => {
      waking = false;
      pump();
    });
  }

  function pump(): void {
    const reserved = startPairs();
    while (flights < FLIGHTS_MAX) {
      const group = nextGroup(reserved);
      if (group.length === 0) return;
      void fly(group);
    }
  }

  /** The wallet that waits longest: alone when it is hot, else with every other that has one operation waiting. */
  function nextGroup(reserved: ReadonlySet<string>): Lane[] {
    const free = [...ready].filter((lane) => !reserved.has(lane.ref.id));
    const [first] = free;
    if (!first || first.tasks.length > 1) return first ? [first] : [];
    return free.filter((lane) => lane.tasks.length === 1).slice(0, LANES_PER_FLIGHT_MAX);
  }

  async function fly(group: Lane[]): Promise<void> {
    flights += 1;
    for (const lane of group) {
      ready.delete(lane);
      lane.busy = true;
    }
    await flight(group);
    flights -= 1;
    for (const lane of group) land(lane);
    pump();
  }

  /** A wallet whose place was lost rests a little before it is decided again, so that replicas do not collide on and on. */
  function land(lane: Lane): void {
    const again = (): void => {
      lane.busy = false;
      if (lane.tasks.length > 0) ready.add(lane);
      else if (lanes.get(lane.ref.id) === lane) lanes.delete(lane.ref.id);
    };
    if (lane.failures < 2) {
      again();
      return;
    }
    later('ledger.lane', Math.random() * Math.min(2 ** lane.failures, PAUSE_MS_MAX), () => {
      again();
      pump();
    });
  }

  /** Starts the pairs whose wallets are both free, oldest first; returns the wallets that later ones wait for. */
  function startPairs(): Set<string> {
    const reserved = new Set<string>();
    for (const pair of [...pairs]) {
      const both = pair.commands.map((command) => laneOf(command.wallet));
      const free = both.every((lane) => !lane.busy && !reserved.has(lane.ref.id));
      for (const lane of both) reserved.add(lane.ref.id);
      if (!free) continue;
      pairs.splice(pairs.indexOf(pair), 1);
      for (const lane of both) {
        lane.busy = true;
        ready.delete(lane);
      }
      void flyPair(parts, pair, committed).finally(() => {
        for (const lane of both) {
          lane.failures = 0;
          land(lane);
        }
        pump();
      });
    }
    return reserved;
  }

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
    async perform(command: Command): Promise<Outcome | null> {
      const context = admit();
      return count(
        new Promise<Outcome | null>((resolve, reject) => {
          const task: Task = { command, context, attempts: 0, resolve, reject };
          const lane = laneOf(command.wallet);
          lane.tasks.push(task);
          if (!lane.busy) ready.add(lane);
          wake();
        }),
      );
    },

    /** Commits one entry in each of two wallets: both or neither, for every reader. */
    async performPair(pair: PairCommand): Promise<PairOutcome> {
      const context = admit();
      return count(
        new Promise<PairOutcome>((resolve, reject) => {
          pairs.push({ ...pair, context, resolve, reject });
          wake();
        }),
      );
    },

    /** Tells what this process has just made durable. */
    onCommit(listener: CommitListener): () => void {
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
