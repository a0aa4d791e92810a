import { newId } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { ImportJob } from '../store/imports';
import { mappingOf } from './get-import-job';
import { toJobReply } from './wire';

/** Begins an upload of clients. Nothing happens with it before it is closed. */
export async function openImport(
  { imports, clock }: Pick<Deps, 'imports' | 'clock'>,
  request: api.OpenImportRequest,
): Promise<api.ImportJob> {
  const job: ImportJob = {
    _id: newId(),
    workspace_id: request.workspace_id,
    status: 'uploading',
    format: request.format === 'ndjson' ? 'ndjson' : 'csv',
    mode: request.mode === 'upsert' ? 'upsert' : 'create',
    ...(request.mapping.length > 0 ? { mapping: mappingOf(request.mapping) } : {}),
    ...(request.loyalty_program_enabled ? { loyalty_program_enabled: true as const } : {}),
    chunks: 0,
    total: null,
    processed: 0,
    created: 0,
    updated: 0,
    failed: 0,
    errors: [],
    file: null,
    header: null,
    next_byte: 0,
    date_created: clock.now(),
    started_at: null,
    finished_at: null,
  };
  await imports.insert(job);
  return toJobReply(job);
}
