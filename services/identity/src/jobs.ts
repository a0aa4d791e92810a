import type { Job, PieceJob } from '@laurel/work';
import type { Deps } from './deps';
import type { ResetRequestRow } from './store/password-resets';
import type { CodeRequestRow } from './store/portal-codes';
import { sendPasswordReset } from './use-cases/send-password-reset';
import { sendPortalCode } from './use-cases/send-portal-code';

const DAY_MS = 86_400_000;
/** How requests for a mail are worked off. */
const MAILING = { concurrency: 4, share: 1, leaseMs: 60_000 };

/** What this service does by itself -> use case. */
export function jobs(deps: Deps): Job[] {
  const { clock } = deps;
  const resets: PieceJob<ResetRequestRow> = {
    name: 'send-password-resets',
    due: deps.passwordResets.due,
    ...MAILING,
    clock,
    work: (request) => sendPasswordReset(deps, request),
  };
  const portalCodes: PieceJob<CodeRequestRow> = {
    name: 'send-portal-codes',
    due: deps.portalCodes.due,
    ...MAILING,
    share: 2,
    clock,
    work: (request) => sendPortalCode(deps, request),
  };
  return [
    deps.messages.job,
    resets,
    portalCodes,
    {
      name: 'forget-old-audit-log',
      every: DAY_MS,
      alone: true,
      work: async () => {
        const { audit, config } = deps;
        const before = new Date(clock.now().getTime() - config.auditLogDays * DAY_MS);
        return { more: !(await audit.removeBefore(before)) };
      },
    },
  ];
}
