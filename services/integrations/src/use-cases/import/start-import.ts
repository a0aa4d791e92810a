import { invalidField } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import type { ImportJobRow } from '../../store/import-jobs';
import { requireIntegration, requireProvider } from '../integration/require-integration';
import { toTransactionImportReply } from '../integration/wire';

/** Asks for what a provider knows of the past. The work is done in the background. */
export async function startImport(
  deps: IntegrationDeps,
  request: api.ImportTransactionsRequest,
): Promise<api.TransactionImport> {
  const reply = await checkAndCommitOnce(
    deps.connection,
    () => jobOf(deps, request),
    async (session, row) => {
      await deps.importJobs.insert(row, session);
      return toTransactionImportReply(row);
    },
  );
  deps.soon.imports();
  return reply;
}

/** The job as it is to be kept; refused where nothing can be imported. */
async function jobOf(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider: slug, parameters }: api.ImportTransactionsRequest,
): Promise<ImportJobRow> {
  const { imports } = requireProvider(slug, 'import');
  const { config, secrets } = await requireIntegration(deps, { workspaceId, provider: slug });
  const range = imports!.range(parameters ?? {}, config);
  const missing = imports!.missing({ config, secretKeys: new Set(secrets.map(({ key }) => key)) });
  if (missing) throw invalidField(missing.split(' ')[0]!, `nothing can be imported: ${missing}`);
  const now = deps.clock.now();
  return {
    _id: newId(),
    workspace_id: workspaceId,
    provider: slug,
    status: 'pending',
    phase: 'fetching',
    date_from: range.dateFrom,
    date_to: range.dateTo,
    location_ids: range.locationIds,
    pages: 0,
    cursor: null,
    fetch_total: null,
    fetch_done: 0,
    processed_count: 0,
    imported_count: 0,
    error_log: [],
    failures: 0,
    date_created: now,
    started_at: null,
    finished_at: null,
    due_at: now,
  };
}
