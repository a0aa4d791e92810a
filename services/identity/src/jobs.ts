import { type Job, newId } from '@laurel/lifecycle';
import { withLease } from '@laurel/mongo';
import type { Deps } from './deps';
import { sendPasswordResets } from './use-cases/send-password-resets';
import { sendPortalCodes } from './use-cases/send-portal-codes';

const DAY_MS = 86_400_000;

/** Which use case runs on which schedule. */
export function jobs(deps: Deps): Job[] {
  const holder = newId();
  return [
    deps.messages.job,
    { name: 'send-password-resets', everyMs: 500, run: () => sendPasswordResets(deps) },
    { name: 'send-portal-codes', everyMs: 500, run: () => sendPortalCodes(deps) },
    {
      name: 'forget-old-audit-log',
      everyMs: DAY_MS,
      run: async () => {
        const { connection, audit, config, clock } = deps;
        const before = new Date(clock.now().getTime() - config.auditLogDays * DAY_MS);
        const done = await withLease(connection, 'forget-old-audit-log', holder, () =>
          audit.removeBefore(before),
        );
        return { more: done === false };
      },
    },
  ];
}
