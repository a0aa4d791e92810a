import { isDuplicateKey, type Session, unitOfWork } from '@laurel/mongo';
import type { Room } from '@laurel/work';
import type { PassDeps } from '../../deps';
import { movedPass } from '../../domain/pass/moved-pass';
import { type Pass, switchedPass } from '../../domain/pass/pass';
import { homeOf } from '../../domain/pass/tier-sync';
import { writePass } from '../pass/write-pass';
import { openCurrentTemplate } from './open-current-template';

/** Some of each workspace at a time: a hundred thousand that end at once keep those of no other waiting. */
const ROOM: Room = { count: 100, share: 20, inHand: new Map() };
const SOURCE = 'expiry';
const LATER_MS = 86_400_000;

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
    await stay(deps, due);
  }
}

function goBack(deps: PassDeps, due: DuePass): Promise<void> {
  return unitOfWork(deps.connection, async (session) => {
    const before = await overdue(deps, due, session);
    if (!before) return;
    const templateId = before.previous_template_id!;
    const target = (await openHome(deps, before, session)) ?? {
      id: before.pass_template_id,
      project_id: before.project_id,
    };
    const place = { templateId: target.id, projectId: target.project_id, expiresAt: null };
    const moved = movedPass(before, templateId, target);
    const after = { ...switchedPass(moved, place), date_updated: deps.clock.now() };
    await writePass(deps, { before, after, source: SOURCE }, session);
  });
}

const openHome = (
  deps: PassDeps,
  { workspace_id: workspaceId, previous_template_id: templateId }: Pass,
  session: Session,
) => openCurrentTemplate(deps, { workspaceId, templateId: templateId! }, session);

/**
 * Another pass of the client is on that template: this one stays where it is. Where the other shows it for its tier or for
 * some days alone, until that is over.
 */
function stay(deps: PassDeps, due: DuePass): Promise<void> {
  return unitOfWork(deps.connection, async (session) => {
    const before = await overdue(deps, due, session);
    if (!before) return;
    if (await mayReturnLater(deps, before, session)) {
      const later = new Date(deps.clock.now().getTime() + LATER_MS);
      return deps.passes.replace({ ...before, template_expires_at: later }, session);
    }
    const { pass_template_id: templateId, project_id: projectId } = before;
    const after = switchedPass(before, { templateId, projectId, expiresAt: null });
    await writePass(deps, { before, after, source: SOURCE }, session);
  });
}

async function mayReturnLater(deps: PassDeps, pass: Pass, session: Session): Promise<boolean> {
  const { workspace_id: workspaceId, client_id: clientId, id } = pass;
  const home = await openHome(deps, pass, session);
  if (home === null || clientId === null) return false;
  const held = await deps.passes.listOfClients(workspaceId, [clientId], session);
  const others = held.filter((other) => other.id !== id && other.pass_template_id === home.id);
  return others.length > 0 && others.every((other) => homeOf(other) !== home.id);
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
