import { unitOfWork } from '@laurel/mongo';
import type { EnrollmentDeps } from '../../deps';
import type { Distribution } from '../../domain/distribution/distribution';
import { FORM_SOURCE } from '../../domain/enrollment/enrollment';
import { endOf, expiryOf } from '../../domain/pass/pass';
import { refusals } from '../../refusals';
import { writePass } from '../pass/write-pass';

/**
 * Gives a pass that has expired the time that a new one has on the template of the form, without an end where that has none: its
 * client can have no second one there. What staff ended stays so: a voided one, and one whose end they brought forward. Of a pass
 * that does not know who said its end, it was staff where the template gives none.
 *
 * @throws 409 where the pass has ended and stays so, as an action does: it would be handed out as one that works
 */
export async function renewExpiredPass(
  deps: EnrollmentDeps,
  { workspace_id: workspaceId, pass_template_id }: Distribution,
  passId: string,
): Promise<void> {
  const now = deps.clock.now();
  await unitOfWork(deps.connection, async (session) => {
    const before = await deps.passes.find(workspaceId, passId, session);
    const end = before && endOf(before, now);
    if (!before || end === null) return;
    const template = await deps.templates.find(workspaceId, pass_template_id, session);
    const expires_at = template && expiryOf(template, now);
    const isEndedByStaff = before.expiry_given ?? expires_at === null;
    if (end === 'voided' || isEndedByStaff || !template)
      throw refusals.passEnded({ message: STAYS_SO[end] });
    const after = { ...before, expires_at, expiry_given: false, date_updated: now };
    await writePass(deps, { before, after, source: FORM_SOURCE }, session);
  });
}

const STAYS_SO = {
  voided: 'the pass is voided; the shop can restore it',
  expired: 'the pass has expired; the shop can renew it',
} as const;
