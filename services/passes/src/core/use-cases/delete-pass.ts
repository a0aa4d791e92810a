import { commitOnce } from '@laurel/mongo';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { passEvent } from './pass-events';

export async function deletePass(
  deps: Pick<CoreDeps, 'connection' | 'passes' | 'outbox'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    const pass = await deps.passes.find(workspaceId, id, session);
    if (!pass || !(await deps.passes.remove(workspaceId, id, session)))
      throw refusals.passNotFound();
    await deps.outbox.append([passEvent('passes.pass_deleted', pass)], session);
    return {};
  });
}
