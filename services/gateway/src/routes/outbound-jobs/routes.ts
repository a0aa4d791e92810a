import { data, get, member, post, type Route } from '../../routing';
import { presentOutboundJob } from '../integrations/present';
import * as schema from './schema';

const tag = 'Integrations';

/** What outside systems hear of clients (part 4, sections 10 and 12). */
export const outboundJobRoutes: Route[] = [
  get(':ws/outbound-jobs', {
    stack: member(),
    tag,
    summary: 'List what outside systems are told of clients, those that changed last first',
    description: 'One job per client and integration; a change makes it pending again.',
    query: schema.listOutboundJobs,
    reply: schema.outboundJobs,
    handle: async ({ rpc, workspaceId, query }) => {
      const request = { workspace_id: workspaceId, ...query };
      const { data: page, next_cursor } = await rpc.integrations.ListOutboundJobs(request);
      const meta = { limit: query.limit, next_cursor: next_cursor ?? null };
      return data(page.map(presentOutboundJob), meta);
    },
  }),
  post(':ws/outbound-jobs/:jobId/retry', {
    stack: member(),
    tag,
    summary: 'Tell an outside system of a client again now',
    description:
      'Without waiting for the next try. 409 `outbound_off` while the integration tells nothing.',
    status: 202,
    reply: schema.outboundJob,
    handle: async ({ rpc, workspaceId, params: { jobId } }) => {
      const request = { workspace_id: workspaceId, job_id: jobId };
      return data(presentOutboundJob(await rpc.integrations.RetryOutboundJob(request)));
    },
  }),
];
