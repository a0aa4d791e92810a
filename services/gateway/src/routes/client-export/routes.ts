import { get, member, type Route, stream } from '../../routing';
import { toFilter } from '../clients/present';
import { primed } from './primed';
import * as schema from './schema';

const tag = 'Clients';
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
};

/** Export of clients, and of one person (part 3, section 3). */
export const clientExportRoutes: Route[] = [
  get(':ws/clients/export', {
    stack: member(),
    tag,
    summary: 'Export clients as NDJSON or CSV, streamed',
    query: schema.exportQuery,
    produces: ['application/x-ndjson', 'text/csv'],
    handle: async ({ rpc, workspaceId, query }) => {
      const { format } = query;
      const request = { workspace_id: workspaceId, filter: toFilter(query), format };
      const chunks = await primed(rpc.clients.ExportClients(request));
      return stream(CONTENT_TYPES[format]!, `clients.${format}`, chunks);
    },
  }),
  get(':ws/clients/:id/export', {
    stack: member(),
    tag,
    summary: 'Export everything held on a person, in every service (right of access)',
    reply: schema.person,
    wrapped: false,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, client_id: id };
      const chunks = await primed(rpc.clients.ExportPerson(request));
      return stream('application/json; charset=utf-8', `client-${id}.json`, chunks);
    },
  }),
];
