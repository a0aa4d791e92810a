import type { Job } from '@laurel/lifecycle';
import { withLease } from '@laurel/mongo';
import type { Deps } from './deps';
import { sweepDeletedWorkspaces } from './use-cases/remove-workspace';
import { endAssignments, reviewMembers } from './use-cases/review-members';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export interface JobSettings {
  /** Names this process. */
  holder: string;
  reviewEveryMs: number;
}

/** What this service does by the clock. */
export function jobs(deps: Deps, { holder, reviewEveryMs }: JobSettings): Job[] {
  const alone = async (name: string, work: () => Promise<{ more: boolean }>) =>
    (await withLease(deps.connection, name, holder, work)) ?? undefined;
  return [
    {
      name: 'resync',
      everyMs: 2 * SECOND_MS,
      // Only woken here: a long one must not keep a stopping process waiting for its end.
      run: async () => {
        deps.resyncSoon();
        return undefined;
      },
    },
    {
      name: 'review',
      everyMs: reviewEveryMs,
      run: () => alone('tiers.review', () => reviewMembers(deps)),
    },
    {
      name: 'ended-assignments',
      everyMs: 5 * SECOND_MS,
      run: () => alone('tiers.ended-assignments', () => endAssignments(deps)),
    },
    {
      name: 'deleted-workspaces',
      everyMs: HOUR_MS,
      run: async () => {
        await alone('tiers.deleted-workspaces', async () => {
          await sweepDeletedWorkspaces(deps);
          return { more: false };
        });
        return undefined;
      },
    },
  ];
}
