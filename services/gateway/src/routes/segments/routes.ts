import { platform } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import {
  data,
  del,
  get,
  member,
  memberOfRow,
  message,
  patch,
  post,
  type Route,
  versioned,
  workspaceOfRow,
} from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { listByKey, ofKey } from '../../schema/types';
import type { FilterBody } from './filter-schema';
import * as schema from './schema';

const tag = 'Segments';

const stack = memberOfRow(workspaceOfRow((rpc, row) => rpc.clients.LocateSegment(row)));

interface OfSegment {
  rpc: RpcClients;
  workspaceId: string;
  params: { id: string };
}

const listClients = {
  stack,
  tag,
  query: schema.page,
  reply: schema.clients,
  handle: async ({
    rpc,
    workspaceId,
    params: { id },
    query,
  }: OfSegment & { query: { limit: number; cursor?: string } }) => {
    const request = { workspace_id: workspaceId, id, ...query };
    const { clients, next_cursor } = await rpc.clients.ListSegmentClients(request);
    return data(clients, next_cursor ? { next_cursor } : undefined);
  },
};

const count = {
  stack,
  tag,
  reply: schema.total,
  handle: async ({ rpc, workspaceId, params: { id } }: OfSegment) =>
    data(await rpc.clients.CountSegment({ workspace_id: workspaceId, id })),
};

/** Segments of clients (part 2, Segments; part 3, section 11). */
export const segmentRoutes: Route[] = [
  post(':ws/segments/preview', {
    stack: member(),
    tag,
    summary: 'Tell who would be in a segment that is not saved',
    description:
      'Nothing is written. reachable have a pass, consenting agreed to marketing; with client_id also which of the filters that client complies with.',
    readOnly: true,
    body: schema.previewSegment,
    reply: schema.preview,
    handle: async ({ rpc, workspaceId, body: { filters: asked = [], client_id, limit } }) => {
      const named = client_id === undefined ? {} : { client_id };
      const request = { workspace_id: workspaceId, filters: toFilters(asked), limit, ...named };
      const { filters, ...preview } = await rpc.clients.PreviewSegment(request);
      return data({ ...preview, ...(client_id === undefined ? {} : { filters }) });
    },
  }),
  get(':ws/segments', {
    stack: member(),
    tag,
    summary: 'List segments, newest first',
    description:
      'Without counts, which are asked for one by one. key finds the one that a programme of files manages.',
    query: listByKey(),
    reply: schema.segments,
    handle: async ({ rpc, workspaceId, query: { key } }) =>
      data(ofKey((await rpc.clients.ListSegments({ workspace_id: workspaceId })).segments, key)),
  }),
  post(':ws/segments', {
    stack: member(),
    tag,
    summary: 'Create a segment',
    description:
      'Clients who comply with all filters are in it; without filters everybody who is not anonymized. Values are typed against the field they compare with. A workspace has at most 1000 segments, each with at most 40 000 characters of filters.',
    status: 201,
    body: schema.createSegment,
    reply: schema.segment,
    handle: async ({ rpc, workspaceId, body: { filters = [], ...body } }) => {
      const request = { ...body, workspace_id: workspaceId, filters: toFilters(filters) };
      return data(await rpc.clients.CreateSegment(request));
    },
  }),
  get('/segments/:id', {
    stack,
    tag,
    summary: 'Read a segment',
    description:
      'Name and filters as they were saved. Who is in it is counted when asked, so there is nothing to refresh.',
    reply: schema.segment,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, ids: [id] };
      const [segment] = (await rpc.clients.GetSegments(request)).segments;
      if (!segment) throw platform.recordNotFound();
      return versioned(segment);
    },
  }),
  patch('/segments/:id', {
    stack,
    tag,
    summary: 'Change a segment; filters are replaced as a whole',
    description:
      'Campaigns that have begun keep their audience; rules, rewards and drafts go by the new filters from now on. A filter that makes no sense is refused with its position.',
    body: schema.updateSegment,
    reply: schema.segment,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body: { filters, ...body } }) => {
      const items = filters && { filters: { items: toFilters(filters) } };
      const request = { ...body, ...items, workspace_id: workspaceId, id };
      return versioned(await rpc.clients.UpdateSegment(request));
    },
  }),
  del('/segments/:id', {
    stack,
    tag,
    summary: 'Delete a segment; one that is nested in another is refused',
    description:
      'Refused with 409 and `used_by` while an active rule, a scheduled or running campaign or another segment uses it.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.clients.DeleteSegment({ workspace_id: workspaceId, id });
      return message('the segment is deleted');
    },
  }),
  post('/segments/:id/duplicate', {
    stack,
    tag,
    summary: 'Copy a segment with its filters',
    description:
      'A starting point for a variant. The copy has a name of its own and nothing uses it yet.',
    body: schema.duplicateSegment,
    reply: schema.segment,
    handle: async ({ rpc, workspaceId, params: { id }, body }) =>
      data(await rpc.clients.DuplicateSegment({ ...body, workspace_id: workspaceId, id })),
  }),
  post('/segments/:id/calculate', {
    ...count,
    summary: 'Count the clients of a segment',
    description:
      'Kept for programs that ask by POST; it answers what GET client-count answers, from data a few seconds old at most.',
    readOnly: true,
  }),
  get('/segments/:id/client-count', {
    ...count,
    summary: 'Count the clients of a segment',
    description:
      'Counted when asked, within seconds even over a million clients, and never older than a few seconds.',
  }),
  get('/segments/:id/preview', {
    ...listClients,
    summary: 'List clients of a segment',
    description:
      'The same rows as the list of clients, for showing a few of them beside the filters. To try filters before they are saved, preview them without a segment.',
  }),
  get('/segments/:id/clients', {
    ...listClients,
    summary: 'List clients of a segment',
    description:
      'The clients themselves, a page at a time by `cursor`. For a file, export clients with segment_id.',
  }),
  get('/segments/:id/passes', {
    ...listClients,
    summary: 'List clients of a segment',
    description: 'The same as /clients; kept for backward compatibility.',
  }),
];

function toFilters(filters: readonly FilterBody[]): api.SegmentFilter[] {
  return filters.map(({ id, ...filter }) => ({ ...filter, id: id ?? undefined }));
}
