import { commitOnce } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { refusals } from '../../refusals';
import { requireProvider } from '../integration/require-integration';
import { toTransactionImportReply } from '../integration/wire';

/** Stops an import: the transactions recorded by then stay. 409 once it has ended. */
export async function cancelTransactionImport(
  deps: Pick<IntegrationDeps, 'connection' | 'importJobs' | 'importRecords' | 'clock'>,
  { workspace_id: workspaceId, provider, id }: api.TransactionImportRequest,
): Promise<api.TransactionImport> {
  requireProvider(provider, 'import');
  const cancelled = await commitOnce(deps.connection, async (session) => {
    const named = { id, now: deps.clock.now(), session };
    const job = await deps.importJobs.cancel(workspaceId, provider, named);
    if (job) return toTransactionImportReply(job);
    const ended = await deps.importJobs.get(workspaceId, provider, id);
    throw ended
      ? refusals.importEnded({ values: { status: ended.status } })
      : refusals.importJobNotFound();
  });
  // The replica that works on it finds it cancelled, and takes away what it fetches meanwhile.
  await deps.importRecords.removeJob(id);
  await deps.importJobs.callNext(workspaceId, id, deps.clock.now());
  return cancelled;
}
