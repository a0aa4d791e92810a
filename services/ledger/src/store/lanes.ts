import { type Context, later } from '@laurel/lifecycle';
import type { Command, Outcome, Reversal } from './command';
import type { WalletRef } from './documents';

export interface Task {
  command: Command | Reversal;
  context: Context;
  attempts: number;
  resolve: (outcome: Outcome | null) => void;
  reject: (error: unknown) => void;
}

/** The queue of one wallet in this process; at most one flight works on it. */
export interface Lane {
  ref: WalletRef;
  tasks: Task[];
  busy: boolean;
  /** Start from the log itself: what is remembered has proved old. */
  proveFirst: boolean;
  /** The flight before failed as a whole, and maybe by this wallet. */
  fliesAlone: boolean;
  /** Flights in a row that lost their place. */
  failures: number;
}

const LANES_PER_FLIGHT_MAX = 256;
const PAUSE_MS_MAX = 40;

export type Lanes = ReturnType<typeof createLanes>;

/** The queues of all wallets that something waits for or works on, and which of them can start. */
export function createLanes() {
  const lanes = new Map<string, Lane>();
  const ready = new Set<Lane>();

  function of(ref: WalletRef): Lane {
    let lane = lanes.get(ref.id);
    if (!lane) {
      const fresh = { busy: false, proveFirst: false, fliesAlone: false, failures: 0 };
      lane = { ref, tasks: [], ...fresh };
      lanes.set(ref.id, lane);
    }
    return lane;
  }

  function free(lane: Lane): void {
    lane.busy = false;
    if (lane.tasks.length > 0) ready.add(lane);
    else if (lanes.get(lane.ref.id) === lane) lanes.delete(lane.ref.id);
  }

  return {
    of,

    queue(task: Task): void {
      const lane = of(task.command.wallet);
      lane.tasks.push(task);
      if (!lane.busy) ready.add(lane);
    },

    /** The wallet that waits longest: alone when it is hot, else with every other that has one operation waiting. */
    next(reserved: ReadonlySet<string>): Lane[] {
      const startable = [...ready].filter((lane) => !reserved.has(lane.ref.id));
      const [first] = startable;
      if (!first || !mayShare(first)) return first ? [first] : [];
      return startable.filter(mayShare).slice(0, LANES_PER_FLIGHT_MAX);
    },

    take(group: readonly Lane[]): void {
      for (const lane of group) {
        ready.delete(lane);
        lane.busy = true;
      }
    },

    /**
     * Frees a wallet. One whose place was lost rests a little before it is decided again, so that replicas do not
     * collide on and on; `rested` is called once it has.
     */
    land(lane: Lane, rested: () => void): void {
      if (lane.failures < 2) {
        free(lane);
        return;
      }
      later('ledger.lane', Math.random() * Math.min(2 ** lane.failures, PAUSE_MS_MAX), () => {
        free(lane);
        rested();
      });
    },
  };
}

const mayShare = ({ tasks, fliesAlone }: Lane): boolean => tasks.length === 1 && !fliesAlone;
