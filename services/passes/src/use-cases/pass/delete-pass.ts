import { commitOnce, orStale, type Session, StaleWrite } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { retiredPass } from '../../domain/pass/retirement';
import { refusals } from '../../refusals';
import { passEvent } from './pass-events';

export type RemovalDeps = Pick<
  PassDeps,
  'passes' | 'formerBarcodes' | 'retiredPasses' | 'templates' | 'passUpdates' | 'outbox' | 'clock'
>;

export async function deletePass(
  deps: RemovalDeps & Pick<PassDeps, 'connection'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    const pass = await deps.passes.find(workspaceId, id, session);
    if (!pass) throw refusals.passNotFound();
    await removePass(deps, pass, session);
    return {};
  });
}

/** Takes a pass away and tells of it; one that somebody else takes away meanwhile makes the unit start over. */
export async function removePass(deps: RemovalDeps, pass: Pass, session: Session): Promise<void> {
  const { id, workspace_id: workspaceId } = pass;
  if (!(await deps.passes.remove(workspaceId, id, session))) throw new StaleWrite('the pass');
  await retirePass(deps, pass, session);
  await deps.outbox.append([passEvent('passes.pass_deleted', pass)], session);
}

/** What phones have of the pass becomes the empty card: they are pushed to one last time (part 4, section 4). */
export async function retirePass(
  deps: Omit<RemovalDeps, 'outbox' | 'passes'>,
  pass: Pass,
  session: Session,
): Promise<void> {
  const { id, workspace_id: workspaceId, pass_template_id: templateId } = pass;
  const now = deps.clock.now();
  await deps.formerBarcodes.removeOfPass(workspaceId, id, session);
  const template = await deps.templates.find(workspaceId, templateId, session);
  if (!template) return;
  const retired = deps.retiredPasses.insert(retiredPass(pass, template, now), session);
  await orStale('the end of the pass', retired);
  await deps.passUpdates.ask(workspaceId, { passIds: [id], now }, session);
}
