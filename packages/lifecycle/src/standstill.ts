const TICK_MS = 1_000;
/** What is shorter is a busy process, and no caller gives up for it. */
const STANDSTILL_MS_MIN = 3_000;
/** After a standstill, what has waited for this process meanwhile is read for so long at most. */
const READING_MS = 5_000;

export interface Standstills {
  /** How long a message that is read now may have waited for this process: 0, but right after a standstill. */
  waitedMsMax(): number;
  /** Whether this process stood still since a moment of `performance.now()`. */
  isAnySince(moment: number): boolean;
}

/**
 * Notices that this process stood still: it was frozen, or its machine was.
 *
 * @param now in ms, on a clock that goes on during a standstill and is never set
 */
export function watchStandstills(now: () => number = () => performance.now()): Standstills {
  let lastTick = now();
  let latest = { ms: 0, endedAt: Number.NEGATIVE_INFINITY };
  const notice = (): void => {
    const at = now();
    const ms = at - lastTick;
    if (ms - TICK_MS >= STANDSTILL_MS_MIN) latest = { ms, endedAt: at };
    lastTick = at;
  };
  /** What it stood in the way of may go on before the tick that is overdue. */
  const noticeOverdue = (): void => {
    if (now() - lastTick - TICK_MS >= STANDSTILL_MS_MIN) notice();
  };
  setInterval(notice, TICK_MS).unref();
  return {
    waitedMsMax() {
      noticeOverdue();
      return now() < latest.endedAt + READING_MS ? latest.ms : 0;
    },
    isAnySince(moment) {
      noticeOverdue();
      return latest.endedAt > moment;
    },
  };
}

let ofThisProcess: Standstills | undefined;

/** Those of this process, watched from the first question on. */
export function standstills(): Standstills {
  ofThisProcess ??= watchStandstills();
  return ofThisProcess;
}
