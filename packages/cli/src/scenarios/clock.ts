import { setTimeout as pause } from 'node:timers/promises';
import { isLaurelError, type Laurel } from '@laurel/client';
import { Failed } from '../failures';

const LOOK_MS = 100;
/** So little time that nothing comes due by it: what is under way is worked off, that is all. */
const MOMENT_MS = 1_000;
const AHEAD_MS_MAX = 60_000;

/** The clock of a sandbox. */
export interface Clock {
  now(): Promise<Date>;
  /** Moves it; everything due until then is done by then. */
  goTo(moment: Date): Promise<void>;
  /** Waits until whatever has happened has had all of its consequences. */
  settle(): Promise<void>;
}

export function clockOf(laurel: Pick<Laurel, 'workspaces'>): Clock {
  const now = async () => new Date((await laurel.workspaces.getClock()).now);
  const goTo = async (moment: Date) => {
    await begin(laurel, moment);
    for (;;) {
      const { status, problem } = await laurel.workspaces.getClock();
      if (status === 'ready') return;
      if (status === 'failed') throw new Failed(`the clock stands still: ${problem}`);
      await pause(LOOK_MS);
    }
  };
  return {
    now,
    goTo,
    settle: async () => goTo(new Date((await now()).getTime() + MOMENT_MS)),
  };
}

/**
 * The clock goes on by itself, and while a busy machine takes its time with the call it may have come there: then nothing
 * is left but to wait for what is under way, a little further ahead each time.
 */
async function begin(laurel: Pick<Laurel, 'workspaces'>, moment: Date): Promise<void> {
  let to = moment;
  for (let aheadMs = MOMENT_MS; ; aheadMs *= 2) {
    try {
      return void (await laurel.workspaces.advanceClock({ to: to.toISOString() }));
    } catch (error) {
      const isPast = isLaurelError(error) && error.reason === 'clock_goes_forward';
      if (!isPast || aheadMs > AHEAD_MS_MAX) throw error;
    }
    const { now } = await laurel.workspaces.getClock();
    to = new Date(Date.parse(now) + aheadMs);
  }
}
