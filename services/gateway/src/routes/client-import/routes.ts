import type { Request } from 'express';
import { data, get, member, post, type Route, withoutDeadline } from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import * as schema from './schema';
import { formatOf, uploadedChunks } from './upload';

const tag = 'Clients';

/** Import of clients from a file (part 3, section 3). */
export const clientImportRoutes: Route[] = [
  post(':ws/clients/import', {
    stack: member(),
    tag,
    summary: 'Import clients from CSV or NDJSON',
    description:
      'Multipart body with a part `file` of at most 50 MiB, or the file itself as text/csv or application/x-ndjson. Columns are field names, custom fields `custom_fields.<name>`; rows count from 1. CSV may be UTF-8, UTF-16 with a byte order mark or Windows-1252, separated by comma, semicolon, tab or |; a blank cell says nothing, so it clears nothing either. A quote that is not closed ends the import as failed; the rows before it stay. The job works in the background.',
    rawBody: true,
    query: schema.importQuery,
    status: 202,
    reply: schema.importJob,
    handle: ({ rpc, workspaceId, query: { mode }, request }) =>
      withoutDeadline(async () => data(await upload(rpc, workspaceId, mode, request))),
  }),
  get(':ws/client-import-jobs/:jobId', {
    stack: member(),
    tag,
    summary: 'Read how far an import is',
    reply: schema.importJob,
    handle: async ({ rpc, workspaceId, params: { jobId } }) =>
      data(await rpc.clients.GetImportJob({ workspace_id: workspaceId, id: jobId })),
  }),
  post(':ws/client-import-jobs/:jobId/cancel', {
    stack: member(),
    tag,
    summary: 'Stop an import; the clients imported by then stay',
    reply: schema.importJob,
    handle: async ({ rpc, workspaceId, params: { jobId } }) =>
      data(await rpc.clients.CancelImport({ workspace_id: workspaceId, id: jobId })),
  }),
];

/** Passes the file on as it arrives, one piece in memory at a time. */
async function upload(rpc: RpcClients, workspaceId: string, mode: string, request: Request) {
  let id: string | undefined;
  let chunks = 0;
  try {
    for await (const chunk of uploadedChunks(request)) {
      id ??= (
        await rpc.clients.OpenImport({ workspace_id: workspaceId, format: formatOf(chunk), mode })
      ).id;
      await rpc.clients.AppendImport({ workspace_id: workspaceId, id, index: chunks, chunk });
      chunks += 1;
    }
    return await rpc.clients.CloseImport({ workspace_id: workspaceId, id: id!, chunks });
  } catch (error) {
    if (id !== undefined) {
      await rpc.clients.AbandonImport({ workspace_id: workspaceId, id }).catch(() => undefined);
    }
    throw error;
  }
}
