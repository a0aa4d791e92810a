import { commitOnce } from '@laurel/mongo';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { requireJob } from './get-import-job';
import { toJobReply } from './wire';

/**
 * Stops an import: the rows taken by then stay, the others are not taken. 409 once it has ended
 * (part 4, section 11).
 */
export async function cancelImport(
  { connection, imports, clock }: Pick<Deps, 'connection' | 'imports' | 'clock'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.ImportJob> {
  const cancelled = await commitOnce(connection, async (session) => {
    const job = await imports.cancel(workspaceId, { id, at: clock.now() }, session);
    if (job) return toJobReply(job);
    const { status } = await requireJob(imports, workspaceId, id);
    throw refusals.importEnded({ message: `the import has ended already: it is ${status}` });
  });
  await imports.dropFile(workspaceId, id);
  return cancelled;
}
