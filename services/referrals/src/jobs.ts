import { hostname } from 'node:os';
import { type Job, newId } from '@laurel/lifecycle';
import { withLease } from '@laurel/mongo';
import type { Deps } from './deps';
import { expireReferrals } from './use-cases/expire-referrals';
import { finishDeletions } from './use-cases/finish-deletions';

const EXPIRE_EVERY_MS = 5_000;
const FINISH_EVERY_MS = 30_000;

/**
 * schedule -> use case. The lease only spares replicas from getting in each other's way: what keeps
 * each referral from being closed twice is the condition in the write.
 */
export function jobs(deps: Deps): Job[] {
  const holder = `${hostname()}:${newId()}`;
  const alone = async (name: string, work: () => Promise<{ more: boolean }>) =>
    (await withLease(deps.connection, name, holder, work)) ?? undefined;
  return [
    {
      name: 'expire-referrals',
      everyMs: EXPIRE_EVERY_MS,
      run: () => alone('expire-referrals', () => expireReferrals(deps)),
    },
    {
      name: 'finish-deletions',
      everyMs: FINISH_EVERY_MS,
      run: () => alone('finish-deletions', () => finishDeletions(deps)),
    },
  ];
}
