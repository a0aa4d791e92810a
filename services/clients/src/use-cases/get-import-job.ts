import { cutPage, decodeCursor } from '@laurel/mongo';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { ColumnField } from '../domain/import-mapping';
import { refusals } from '../refusals';
import type { ImportJob, ImportStore } from '../store/imports';
import { toJobReply } from './wire';

export async function getImportJob(
  { imports }: Pick<Deps, 'imports'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.ImportJob> {
  return toJobReply(await requireJob(imports, workspaceId, id));
}

/** An import of the workspace after another, newest first. */
export async function listImportJobs(
  { imports }: Pick<Deps, 'imports'>,
  { workspace_id: workspaceId, limit, cursor }: api.ListImportJobsRequest,
): Promise<api.ImportJobPage> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, isId);
  const found = await imports.list(workspaceId, { limit: limit + 1, after });
  const { rows, nextCursor } = cutPage(found, limit, ({ _id }) => _id);
  return { jobs: rows.map(toJobReply), next_cursor: nextCursor };
}

const isId = (value: unknown): value is string => typeof value === 'string';

export const mappingOf = (columns: readonly api.ColumnField[]): ColumnField[] =>
  columns.map(({ column, field = null }) => ({ column, field }));

export async function requireJob(
  imports: ImportStore,
  workspaceId: string,
  id: string,
): Promise<ImportJob> {
  const job = await imports.find(workspaceId, id);
  if (!job) throw refusals.importJobNotFound();
  return job;
}
