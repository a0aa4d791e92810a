import { createHash } from 'node:crypto';
import { mayFail } from '@laurel/lifecycle';
import type { clients } from '@laurel/rpc';
import {
  type Answer,
  data,
  get,
  type Input,
  member,
  post,
  type Route,
  withoutDeadline,
} from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import * as schema from './schema';
import { formatOf, headOf, uploadedChunks } from './upload';

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
    keyed: true,
    query: schema.importQuery,
    status: 202,
    reply: schema.importJob,
    handle: (input) => {
      const { rpc, workspaceId, query } = input;
      const asked = { workspace_id: workspaceId, ...query, mapping: columnsOf(query.mapping) };
      return withoutDeadline(() => upload(rpc, asked, input));
    },
  }),
  post(':ws/clients/import/check', {
    stack: member(),
    tag,
    summary: 'Tell how a file would be read, without importing anything',
    description:
      'The file as it is sent to import; its first MiB is looked at, so that sending no more is enough. Answers the columns with the field that each would be read as (null: not read), the first 20 rows as they would be read, what an import in this `mode` would do with each, and at most 100 problems; row 0 is the file as a whole. A row whose e-mail address is that of a client, or of a row before it, is refused under `create` and changes that client under `upsert`; a phone number may be that of several. Nothing is written.',
    rawBody: true,
    readOnly: true,
    query: schema.checkQuery,
    reply: schema.importCheck,
    handle: ({ rpc, workspaceId, query: { mode, mapping }, request, awaitPeer, stillAllowed }) =>
      withoutDeadline(async () => {
        const head = await headOf(request, awaitPeer);
        await stillAllowed();
        const asked = { workspace_id: workspaceId, mode, ...head, mapping: columnsOf(mapping) };
        return data(await rpc.clients.CheckImport(asked));
      }),
  }),
  get(':ws/client-import-jobs', {
    stack: member(),
    tag,
    summary: 'List imports, newest first, each with the first 20 of its errors',
    description:
      'One row for each file, with counters. Read the import itself for all of its errors.',
    query: schema.listJobs,
    reply: schema.importJobs,
    meta: schema.listMeta,
    handle: async ({ rpc, workspaceId, query }) => {
      const page = await rpc.clients.ListImportJobs({ workspace_id: workspaceId, ...query });
      return data(page.jobs, { limit: query.limit, next_cursor: page.next_cursor ?? null });
    },
  }),
  get(':ws/client-import-jobs/:jobId', {
    stack: member(),
    tag,
    summary: 'Read how far an import is',
    description:
      'Poll it after an upload: `total` and `processed` grow while it runs, and each row that was refused stands in `errors` with its number and the reason.',
    reply: schema.importJob,
    handle: async ({ rpc, workspaceId, params: { jobId } }) =>
      data(await rpc.clients.GetImportJob({ workspace_id: workspaceId, id: jobId })),
  }),
  post(':ws/client-import-jobs/:jobId/cancel', {
    stack: member(),
    tag,
    summary: 'Stop an import; the clients imported by then stay',
    description:
      'For the wrong file. It stops after the rows under way; what is imported is not taken back, and an import that has ended is refused with 409.',
    reply: schema.importJob,
    handle: async ({ rpc, workspaceId, params: { jobId } }) =>
      data(await rpc.clients.CancelImport({ workspace_id: workspaceId, id: jobId })),
  }),
];

const columnsOf = (mapping: schema.Mapping = {}): clients.ColumnField[] =>
  Object.entries(mapping).map(([column, field]) => ({ column, field }));

/**
 * Passes the file on as it arrives, one piece in memory at a time. Only once all of it is there is it known whether its sender
 * still may, who had a quarter of an hour to be put out, and whether it came under its Idempotency-Key before: if not, or if it
 * did, what was passed on is dropped, and nothing is imported.
 */
async function upload(
  rpc: RpcClients,
  asked: Omit<clients.OpenImportRequest, 'format'>,
  {
    request,
    awaitPeer,
    stillAllowed,
    beginKey,
  }: Pick<Input<string, unknown, unknown>, 'request' | 'awaitPeer' | 'stillAllowed' | 'beginKey'>,
): Promise<Answer> {
  const workspaceId = asked.workspace_id;
  const sha256 = createHash('sha256');
  let id: string | undefined;
  let chunks = 0;
  try {
    for await (const chunk of uploadedChunks(request, awaitPeer)) {
      id ??= (await rpc.clients.OpenImport({ ...asked, format: formatOf(chunk) })).id;
      await rpc.clients.AppendImport({ workspace_id: workspaceId, id, index: chunks, chunk });
      sha256.update(chunk);
      chunks += 1;
    }
    await stillAllowed();
    const earlier = await beginKey({ sha256: sha256.digest('hex') });
    if (earlier) await abandon(rpc, workspaceId, id!);
    return (
      earlier ?? data(await rpc.clients.CloseImport({ workspace_id: workspaceId, id: id!, chunks }))
    );
  } catch (error) {
    if (id !== undefined) await abandon(rpc, workspaceId, id);
    throw error;
  }
}

async function abandon(rpc: RpcClients, workspaceId: string, id: string): Promise<void> {
  await rpc.clients
    .AbandonImport({ workspace_id: workspaceId, id })
    .catch(mayFail('an import that is left ends by itself'));
}
