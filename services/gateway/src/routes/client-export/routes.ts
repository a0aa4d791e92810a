import { type Answer, get, member, type Route, stream } from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { toFilter } from '../clients/present';
import type { FilterQuery } from '../clients/schema';
import * as schema from './schema';

const tag = 'Clients';
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
};

/** The clients that a filter names, as a file. */
export function exportClients(
  rpc: RpcClients,
  workspaceId: string,
  query: FilterQuery & { format: string },
): Answer {
  const { format } = query;
  const request = { workspace_id: workspaceId, filter: toFilter(query), format };
  const texts = textsOf(rpc.clients.ExportClients(request));
  return stream(CONTENT_TYPES[format]!, `clients.${format}`, texts);
}

/** All that is held on a person, as a file. */
export function exportPerson(rpc: RpcClients, workspaceId: string, id: string): Answer {
  const request = { workspace_id: workspaceId, client_id: id };
  const texts = textsOf(rpc.clients.ExportPerson(request));
  return stream('application/json; charset=utf-8', `client-${id}.json`, texts);
}

async function* textsOf(chunks: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of chunks) yield text;
}

/** Export of clients, and of one person (part 3, section 3). */
export const clientExportRoutes: Route[] = [
  get(':ws/clients/export', {
    stack: member(),
    tag,
    summary: 'Export clients as NDJSON or CSV, streamed',
    description:
      'Takes the filters of the list and streams, so that a million rows cost no memory. In CSV, cells that a spreadsheet would run as a formula are defused, and each custom field has a column of its own; where there are more than 500 that nobody defined, those that most clients have, and the column custom_fields holds the others of a client as JSON. For a browser, make a download address instead.',
    query: schema.exportQuery,
    produces: ['application/x-ndjson', 'text/csv'],
    handle: async ({ rpc, workspaceId, query }) => exportClients(rpc, workspaceId, query),
  }),
  get(':ws/clients/:id/export', {
    stack: member(),
    tag,
    summary: 'Export everything held on a person, in every service (right of access)',
    description:
      'One JSON document to hand over. It is put together while you wait and leaves no copy behind.',
    reply: schema.person,
    wrapped: false,
    handle: async ({ rpc, workspaceId, params: { id } }) => exportPerson(rpc, workspaceId, id),
  }),
];
