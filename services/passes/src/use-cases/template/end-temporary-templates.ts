import { isDuplicateKey, type Session, unitOfWork } from '@laurel/mongo';
import type { Room } from '@laurel/work';
import type { PassDeps } from '../../deps';
import { movedPass } from '../../domain/pass/moved-pass';
import { type Pass, switchedPass } from '../../domain/pass/pass';
import { writePass } from '../pass/write-pass';
import { openCurrentTemplate } from './open-current-template';

/** Some of each workspace at a time: a hundred thousand that end at once keep those of no other waiting. */
const ROOM: Room = { count: 100, share: 20, inHand: new Map() };
const SOURCE = 'expiry';

type DuePass = Pick<Pass, 'id' | 'workspace_id'>;

/** Puts passes back on the template they had before a temporary one that has ended. */
export async function endTemporaryTemplates(deps: PassDeps): Promise<{ more: boolean }> {
  const due = await deps.passes.listExpired(deps.clock.now(), ROOM);
  let failed = 0;
  for (const pass of due) {
    try {
      await endTemplate(deps, pass);
    } catch (error) {
      failed += 1;
      deps.logger.error(
        { err: error, pass_id: pass.id },
        'a temporary template could not be ended yet',
      );
    }
  }
  return { more: failed === 0 && due.length > 0 };
}

/** Two replicas at it write the same revision: one of them finds it done. */
async function endTemplate(deps: PassDeps, due: DuePass): Promise<void> {
  try {
    await goBack(deps, due);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The client has got another pass on that template meanwhile: this one stays where it is.
    await stay(deps, due);
  }
}

function goBack(deps: PassDeps, due: DuePass): Promise<void> {
  return unitOfWork(deps.connection, async (session) => {
    const before = await overdue(deps, due, session);
    if (!before) return;
    const templateId = before.previous_template_id!;
    const former = { workspaceId: due.workspace_id, templateId };
    const target = (await openCurrentTemplate(deps, former, session)) ?? {
      id: before.pass_template_id,
      project_id: before.project_id,
    };
    const place = { templateId: target.id, projectId: target.project_id, expiresAt: null };
    const moved = movedPass(before, templateId, target);
    const after = { ...switchedPass(moved, place), date_updated: deps.clock.now() };
    await writePass(deps, { before, after, source: SOURCE }, session);
  });
}

function stay(deps: PassDeps, due: DuePass): Promise<void> {
  return unitOfWork(deps.connection, async (session) => {
    const before = await overdue(deps, due, session);
    if (!before) return;
    const { pass_template_id: templateId, project_id: projectId } = before;
    const after = switchedPass(before, { templateId, projectId, expiresAt: null });
    await writePass(deps, { before, after, source: SOURCE }, session);
  });
}

async function overdue(
  { passes, clock }: PassDeps,
  { workspace_id: workspaceId, id }: DuePass,
  session: Session,
): Promise<Pass | null> {
  const pass = await passes.find(workspaceId, id, session);
  const isOverdue = pass?.template_expires_at && pass.template_expires_at <= clock.now();
  return isOverdue ? pass : null;
}
