import { platform } from '@laurel/errors';
import { every } from '@laurel/lifecycle';
import { admission as metrics } from './metrics';

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

export interface Admission {
  /**
   * Resolves, once it is the request's turn, with what to call at its end. Throws RATE_LIMITED where the caller has too
   * much on its way, SERVICE_UNAVAILABLE where everybody together has, or the turn did not come in time. `gone` resolves
   * when nobody waits for the answer any more.
   */
  enter(caller: string, gone: Promise<unknown>): Promise<() => void>;
  stop(): void;
}

/** What has run that long, and so many times as long as others do, gives its place to them. */
const LONG_MS = 3_000;
const LONG_TIMES = 8;
/** So many long ones for each place. */
const LONG_PER_PLACE = 2;
const SWEEP_MS = 500;
/** What one request more means for what is usual. */
const USUAL_SHARE = 0.05;
const RETRY_SECONDS_MAX = 3;

interface Waiter {
  start: () => void;
  refuse: () => void;
  until: number;
}

/** One credential or address: its requests wait in a line of their own. */
interface Line {
  waiting: Set<Waiter>;
  count: number;
}

interface Place {
  since: number;
  isLong: boolean;
}

/**
 * Admission control (docs/adr/0010). What arrives beyond what can be worked on waits a moment, callers taking turns,
 * so that one who sends a thousand requests delays its own; beyond that it is refused at once, which costs next to
 * nothing and leaves the work to those who were let in. Requests that run long (uploads, proofs, slow readers) do not
 * keep the short ones out: they move aside, to a number that is bounded as well.
 */
export function createAdmission(settings: AdmissionSettings): Admission {
  const { runningMax, waitingMax, waitMsMax, callerMax } = settings;
  const lines = new Map<string, Line>();
  const turns = new Set<Line>();
  const places = new Set<Place>();
  let waiting = 0;
  let long = 0;
  /** How long a request takes lately. When everything is slow, nothing is long: that would only let more of it in. */
  let usualMs = 0;

  const isFree = (): boolean => places.size - long < runningMax;

  function refuse(reason: 'caller' | 'full' | 'late') {
    metrics.refused.inc({ reason });
    if (reason === 'caller') return platform.rateLimited({ retryAfterSeconds: 1 });
    return platform.serviceUnavailable({
      message: 'too many requests are on their way; try again in a moment',
      retryAfterSeconds: 1 + Math.floor(Math.random() * RETRY_SECONDS_MAX),
    });
  }

  /** Gives free places to whose turn it is. Who waited too long, while this process was busy, is told so. */
  function admit(): void {
    const now = performance.now();
    while (waiting > 0 && isFree()) {
      const [line] = turns;
      const [next] = line!.waiting;
      turns.delete(line!);
      leaveLine(line!, next!);
      if (line!.waiting.size > 0) turns.add(line!);
      if (now > next!.until) next!.refuse();
      else next!.start();
    }
    metrics.waiting.set(waiting);
    metrics.running.set(places.size);
  }

  function leaveLine(line: Line, waiter: Waiter): void {
    if (!line.waiting.delete(waiter)) return;
    waiting -= 1;
    if (line.waiting.size === 0) turns.delete(line);
  }

  function take(key: string, line: Line): () => void {
    const place: Place = { since: performance.now(), isLong: false };
    places.add(place);
    return () => {
      if (!places.delete(place)) return;
      usualMs += USUAL_SHARE * (performance.now() - place.since - usualMs);
      if (place.isLong) long -= 1;
      forget(key, line);
      admit();
    };
  }

  function forget(key: string, line: Line): void {
    line.count -= 1;
    if (line.count === 0) lines.delete(key);
  }

  function waitInLine(key: string, line: Line, gone: Promise<unknown>): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const give = (): void => {
        clearTimeout(timer);
        resolve(take(key, line));
      };
      const turnAway = (): void => {
        clearTimeout(timer);
        forget(key, line);
        reject(refuse('late'));
      };
      const waiter: Waiter = {
        start: give,
        refuse: turnAway,
        until: performance.now() + waitMsMax,
      };
      const end = (): void => {
        if (!line.waiting.has(waiter)) return;
        leaveLine(line, waiter);
        turnAway();
      };
      const timer = setTimeout(end, waitMsMax);
      void gone.then(end);
      line.waiting.add(waiter);
      turns.add(line);
      waiting += 1;
    });
  }

  /** The oldest first, until one is young enough. */
  function moveLongAside(): void {
    const before = performance.now() - Math.max(LONG_MS, LONG_TIMES * usualMs);
    for (const place of places) {
      if (place.since > before || long >= runningMax * LONG_PER_PLACE) break;
      if (place.isLong) continue;
      place.isLong = true;
      long += 1;
    }
    admit();
  }

  const sweeping = every('admission', SWEEP_MS, moveLongAside);

  return {
    async enter(caller, gone) {
      const line = lines.get(caller) ?? { waiting: new Set(), count: 0 };
      if (line.count >= callerMax) throw refuse('caller');
      const goesIn = waiting === 0 && isFree();
      if (!goesIn && waiting >= waitingMax) throw refuse('full');
      lines.set(caller, line);
      line.count += 1;
      return goesIn ? take(caller, line) : waitInLine(caller, line, gone);
    },
    stop: () => sweeping.cancel(),
  };
}
