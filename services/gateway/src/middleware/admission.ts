import { platform } from '@laurel/errors';
import { every } from '@laurel/lifecycle';
import { type Line, Lines, type Waiter } from './lines';
import { admission as metrics } from './metrics';
import { Peers } from './peers';
import { Places } from './places';

export interface AdmissionSettings {
  /** Requests worked on at once. */
  runningMax: number;
  /** Requests that wait for their turn, of all callers. */
  waitingMax: number;
  /** How long one waits. */
  waitMsMax: number;
  /** Requests of one caller, running and waiting. */
  callerMax: number;
}

/** The turn of a request. */
export interface Turn {
  /**
   * Waits for what is no work of the platform; the request takes up no place meanwhile, and has one again afterwards, whatever
   * is free. Where too many wait so, `hangUp` is called for the one that has for longest.
   */
  awaitPeer<T>(wait: () => Promise<T>, hangUp: () => void): Promise<T>;
  leave(): void;
}

export interface Admission {
  /**
   * Resolves with the request's turn, once that has come. Throws RATE_LIMITED where the caller has too
   * much on its way, SERVICE_UNAVAILABLE where everybody together has, or the turn did not come in time. `gone` resolves
   * when the caller no longer waits for the answer.
   */
  enter(caller: string, gone: Promise<unknown>): Promise<Turn>;
  stop(): void;
}

const SWEEP_MS = 500;
const RETRY_SECONDS_MAX = 3;
const PEER_PATIENCE_MS = 2_000;

/**
 * Admission control (docs/adr/0010). What arrives beyond what can be worked on waits a moment, callers taking turns,
 * so that one who sends a thousand requests delays its own; beyond that it is refused at once, which costs next to
 * nothing and leaves the work to those who were let in. Requests that run long (proofs, large files) do not keep the short
 * ones out: they move aside, to a number that is bounded as well; and those that wait for others are at no work.
 */
export function createAdmission(
  settings: AdmissionSettings,
  peerPatienceMs = PEER_PATIENCE_MS,
): Admission {
  const { runningMax, waitingMax, waitMsMax, callerMax } = settings;
  const places = new Places(runningMax);
  const lines = new Lines();
  const peers = new Peers(runningMax, peerPatienceMs);

  /** Gives free places to whose turn it is. Who waited too long, while this process was busy, is refused. */
  function admit(): void {
    const now = performance.now();
    while (lines.waiting > 0 && places.isFree) {
      const next = lines.next();
      if (now > next.until) next.refuse();
      else next.start();
    }
    metrics.waiting.set(lines.waiting);
    metrics.running.set(places.size);
  }

  function take(line: Line): Turn {
    let place = places.take();
    let isOver = false;
    return {
      async awaitPeer(wait, hangUp) {
        places.giveBack(place);
        admit();
        try {
          return await peers.await(wait, hangUp);
        } finally {
          place = places.take();
        }
      },
      leave() {
        if (isOver) return;
        isOver = true;
        places.giveBack(place);
        lines.leave(line);
        admit();
      },
    };
  }

  const sweeping = every('admission', SWEEP_MS, () => {
    places.moveLongAside();
    peers.trim();
    admit();
  });

  return {
    async enter(caller, gone) {
      const line = lines.of(caller);
      if (line.count >= callerMax) throw refuse('caller');
      const goesIn = lines.waiting === 0 && places.isFree;
      if (!goesIn && lines.waiting >= waitingMax) throw refuse('full');
      lines.enter(line);
      return goesIn ? take(line) : waitInLine(lines, line, { gone, waitMsMax, take });
    },
    stop: () => sweeping.cancel(),
  };
}

function refuse(reason: 'caller' | 'full' | 'late') {
  metrics.refused.inc({ reason });
  if (reason === 'caller') return platform.rateLimited({ retryAfterSeconds: 1 });
  return platform.serviceUnavailable({
    message: 'too many requests are on their way; try again in a moment',
    retryAfterSeconds: 1 + Math.floor(Math.random() * RETRY_SECONDS_MAX),
  });
}

interface Wait {
  gone: Promise<unknown>;
  waitMsMax: number;
  /** Takes a place, in the same turn in which it is the request's. */
  take: (line: Line) => Turn;
}

function waitInLine(lines: Lines, line: Line, { gone, waitMsMax, take }: Wait): Promise<Turn> {
  return new Promise((resolve, reject) => {
    const give = (): void => {
      clearTimeout(timer);
      resolve(take(line));
    };
    const turnAway = (): void => {
      clearTimeout(timer);
      lines.leave(line);
      reject(refuse('late'));
    };
    const waiter: Waiter = {
      start: give,
      refuse: turnAway,
      until: performance.now() + waitMsMax,
    };
    const end = (): void => {
      if (lines.drop(line, waiter)) turnAway();
    };
    const timer = setTimeout(end, waitMsMax);
    void gone.then(end);
    lines.add(line, waiter);
  });
}
