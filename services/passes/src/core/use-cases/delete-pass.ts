import { commitOnce, type Session, StaleWrite } from '@laurel/mongo';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import type { Pass } from '../domain/pass';
import { passEvent } from './pass-events';

export async function deletePass(
  deps: Pick<CoreDeps, 'connection' | 'passes' | 'passUpdates' | 'outbox'>,
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
export async function removePass(
  { passes, passUpdates, outbox }: Pick<CoreDeps, 'passes' | 'passUpdates' | 'outbox'>,
  pass: Pass,
  session: Session,
): Promise<void> {
  const { id, workspace_id: workspaceId } = pass;
  if (!(await passes.remove(workspaceId, id, session))) throw new StaleWrite('the pass');
  await passUpdates.remove(workspaceId, id, session);
  await outbox.append([passEvent('passes.pass_deleted', pass)], session);
}
