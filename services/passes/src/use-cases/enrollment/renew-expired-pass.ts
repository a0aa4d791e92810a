import { unitOfWork } from '@laurel/mongo';
import type { EnrollmentDeps } from '../../deps';
import type { Distribution } from '../../domain/distribution/distribution';
import { FORM_SOURCE } from '../../domain/enrollment/enrollment';
import { endOf, expiryOf } from '../../domain/pass/pass';
import { writePass } from '../pass/write-pass';

/**
 * Gives a pass that has expired the time that a new one has on the template of the form: its client can have no second one
 * there. What staff ended stays so: a voided one, and one on a template by which none expires.
 */
export async function renewExpiredPass(
  deps: EnrollmentDeps,
  { workspace_id: workspaceId, pass_template_id }: Distribution,
  passId: string,
): Promise<void> {
  const now = deps.clock.now();
  await unitOfWork(deps.connection, async (session) => {
    const before = await deps.passes.find(workspaceId, passId, session);
    if (!before || endOf(before, now) !== 'expired') return;
    const template = await deps.templates.find(workspaceId, pass_template_id, session);
    const expires_at = template && expiryOf(template, now);
    if (expires_at === null) return;
    const after = { ...before, expires_at, date_updated: now };
    await writePass(deps, { before, after, source: FORM_SOURCE }, session);
  });
}
