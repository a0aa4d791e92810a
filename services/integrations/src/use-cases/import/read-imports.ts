import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { refusals } from '../../refusals';
import { toTransactionImport } from '../../store/integration-mapping';
import { requireIntegration, requireProvider } from '../integration/require-integration';

type ReadDeps = Pick<IntegrationDeps, 'integrations' | 'importJobs'>;

/** Imports of a provider, newest first; those of an integration that was deleted stay to be seen. */
export async function listImports(
  deps: ReadDeps,
  { workspace_id: workspaceId, provider, limit }: api.ListTransactionImportsRequest,
): Promise<api.TransactionImportList> {
  requireProvider(provider, 'import');
  const rows = await deps.importJobs.list(workspaceId, provider, limit);
  if (rows.length === 0) await requireIntegration(deps, { workspaceId, provider });
  return { data: rows.map(toTransactionImport) };
}

export async function getImport(
  deps: ReadDeps,
  { workspace_id: workspaceId, provider, id }: api.TransactionImportRequest,
): Promise<api.TransactionImport> {
  requireProvider(provider, 'import');
  const row = await deps.importJobs.get(workspaceId, provider, id);
  if (!row) throw refusals.importJobNotFound();
  return toTransactionImport(row);
}
