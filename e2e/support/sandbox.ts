import type { WorkspaceClock } from '@laurel/client';
import { until } from '@laurel/testing';
import type { Caller } from './api';
import { newWorkspace, type TestWorkspace } from './factories';

export const DAY_MS = 86_400_000;

/** A workspace to try things in, of its own for one test. */
export const newSandbox = (): Promise<TestWorkspace> => newWorkspace({ sandbox: true });

export const clockOf = ({ laurel }: Caller): Promise<WorkspaceClock> =>
  laurel.workspaces.getClock();

/** Moves the clock of a sandbox on by so many days, and waits until everything due until then is done. */
export async function letDaysPass(sandbox: Caller, days: number): Promise<WorkspaceClock> {
  const { now } = await clockOf(sandbox);
  const to = new Date(Date.parse(now) + days * DAY_MS).toISOString();
  await sandbox.laurel.workspaces.advanceClock({ to });
  return untilReady(sandbox);
}

export async function untilReady(sandbox: Caller): Promise<WorkspaceClock> {
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
