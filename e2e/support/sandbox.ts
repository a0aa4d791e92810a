import { until } from '@laurel/testing';
import type { Caller } from './api';
import { expectStatus, newWorkspace, type TestWorkspace } from './factories';

export const DAY_MS = 86_400_000;

/** A workspace to try things in, of its own for one test. */
export const newSandbox = (): Promise<TestWorkspace> => newWorkspace({ sandbox: true });

export interface Clock {
  now: string;
  status: 'ready' | 'advancing' | 'failed';
  to: string | null;
  problem: string | null;
  ends_at: string | null;
}

export async function clockOf(sandbox: Caller): Promise<Clock> {
  return expectStatus(await sandbox.get(':ws/clock'), 200).body.data;
}

/** Moves the clock of a sandbox on by so many days, and waits until everything due until then is done. */
export async function letDaysPass(sandbox: Caller, days: number): Promise<Clock> {
  const { now } = await clockOf(sandbox);
  const to = new Date(Date.parse(now) + days * DAY_MS).toISOString();
  expectStatus(await sandbox.post(':ws/clock/advance', { to }), 202);
  return untilReady(sandbox);
}

export async function untilReady(sandbox: Caller): Promise<Clock> {
  const clock = await until(
    async () => {
      const seen = await clockOf(sandbox);
      return seen.status === 'advancing' ? null : seen;
    },
    { withinMs: 240_000, everyMs: 100, what: 'the clock to be there' },
  );
  if (clock.status === 'failed') throw new Error(`the clock stands still: ${clock.problem}`);
  return clock;
}
