import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { refusals } from '../../refusals';
import { requireIntegration, requireProvider } from '../integration/require-integration';
import { toTransactionImportReply } from '../integration/wire';

type ReadDeps = Pick<IntegrationDeps, 'integrations' | 'importJobs'>;

/** Imports of a provider, newest first; those of an integration that was deleted stay to be seen. */
export async function listImports(
  deps: ReadDeps,
  { workspace_id: workspaceId, provider, limit }: api.ListTransactionImportsRequest,
): Promise<api.TransactionImportList> {
  requireProvider(provider, 'import');
  const rows = await deps.importJobs.list(workspaceId, provider, limit);
  if (rows.length === 0) await requireIntegration(deps, { workspaceId, provider });
  return { data: rows.map(toTransactionImportReply) };
}

export async function getImport(
  deps: ReadDeps,
  { workspace_id: workspaceId, provider, id }: api.TransactionImportRequest,
): Promise<api.TransactionImport> {
  requireProvider(provider, 'import');
  const row = await deps.importJobs.get(workspaceId, provider, id);
  if (!row) throw refusals.importJobNotFound();
  return toTransactionImportReply(row);
}
