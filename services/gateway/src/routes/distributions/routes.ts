import {
  bare,
  data,
  del,
  file,
  get,
  member,
  memberOfRow,
  message,
  patch,
  post,
  type Route,
  tagged,
  versioned,
} from '../../routing';
import { requireSameWorkspace } from '../../schema/types';
import { workspaceOfProject } from '../projects/routes';
import { presentDistribution, toDistributionRequest } from './present';
import * as schema from './schema';

const tag = 'Distributions';

/** Distributions, by which people get passes (part 3, section 10). */
export const distributionRoutes: Route[] = [
  get(':ws/distributions', {
    stack: member(),
    tag,
    summary: 'List distributions, newest first',
    description:
      'All forms with their status and limits; filter by project, or by key for programmes of files. Tokens are never in it.',
    query: schema.listDistributions,
    reply: schema.distributions,
    handle: async ({ rpc, workspaceId, query }) => {
      const request = { workspace_id: workspaceId, ...query };
      const { distributions } = await rpc.passes.ListDistributions(request);
      return data(distributions.map(presentDistribution));
    },
  }),
  post(':ws/distributions', {
    stack: member(),
    tag,
    summary: 'Create a distribution: a form that gives passes of one template out',
    description:
      'page_enabled is true by default where delivery_mode is page, and gives the distribution a public_url. allowed_origins says on whose pages a browser may use the embedded form: none when it is empty, those below a host with https://*.shop.example, any with *. Outside of starts_at and ends_at, and once it was sent submission_limit times, the form is closed as a paused one.',
    status: 201,
    body: schema.createDistribution,
    reply: schema.distribution,
    handle: async ({ rpc, workspaceId, body }) => {
      requireSameWorkspace(body.workspace_id, workspaceId);
      const request = { ...toDistributionRequest(body), workspace_id: workspaceId };
      return data(presentDistribution(await rpc.passes.CreateDistribution(request)));
    },
  }),
  get(':ws/distributions/:id', {
    stack: member(),
    tag,
    summary: 'Read a distribution',
    description:
      'Fields, limits and origins of a form, and the address of its page where it has one. Of the token only the first characters are shown.',
    reply: schema.distribution,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, id };
      return versioned(await rpc.passes.GetDistribution(request), presentDistribution);
    },
  }),
  get(':ws/distributions/:id/qr', {
    stack: member(),
    tag,
    summary: 'The code of the page of a distribution, ready to print',
    description:
      'Not found where the distribution has no page. A drawing (svg) prints at any size.',
    query: schema.readQr,
    produces: ['image/png', 'image/svg+xml'],
    handle: async ({ rpc, workspaceId, params: { id }, query }) => {
      const request = { workspace_id: workspaceId, id, ...query };
      const { content, mime_type } = await rpc.passes.GetDistributionQr(request);
      return file(mime_type, content);
    },
  }),
  patch(':ws/distributions/:id', {
    stack: member(),
    tag,
    summary: 'Change a distribution; it holds from the next request on',
    description:
      'Pages and embedded forms show it on their next load. Pausing refuses visitors with “enrollment is closed”; a project and a template must belong together.',
    body: schema.updateDistribution,
    reply: schema.distribution,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      requireSameWorkspace(body.workspace_id, workspaceId);
      const request = { ...toDistributionRequest(body), workspace_id: workspaceId, id };
      return versioned(await rpc.passes.UpdateDistribution(request), presentDistribution);
    },
  }),
  post(':ws/distributions/:id/duplicate', {
    stack: member(),
    tag,
    summary: 'Copy a distribution; the copy is paused',
    description: 'The same questions under a name of its own, with a page and a token of its own.',
    status: 201,
    reply: schema.distribution,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, id };
      return data(presentDistribution(await rpc.passes.DuplicateDistribution(request)));
    },
  }),
  del(':ws/distributions/:id', {
    stack: member(),
    tag,
    summary: 'Delete a distribution; the passes it gave out stay',
    description:
      'Its page, its token and its printed codes lead nowhere from then on. Refused with 409 while the referral programme shares it; pausing is the gentler way.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.passes.DeleteDistribution({ workspace_id: workspaceId, id });
      return message('the distribution is deleted');
    },
  }),
  post(':ws/distributions/:distributionId/api-token/rotate', {
    stack: member(),
    tag,
    summary: 'Make a new token for the embedded form; the one before it ends at once',
    versioned: true,
    description: 'The token is shown only this once and stored hashed; prefix tells tokens apart.',
    wrapped: false,
    idempotent: false,
    reply: schema.formToken,
    handle: async ({ rpc, workspaceId, params: { distributionId } }) => {
      const request = { workspace_id: workspaceId, id: distributionId };
      const { etag, ...token } = await rpc.passes.RotateDistributionToken(request);
      const shown = bare({ data: token, message: 'keep the token: it is not shown again' });
      return tagged(shown, etag);
    },
  }),
  get('/projects/:id/distributions', {
    stack: memberOfRow(workspaceOfProject),
    tag,
    summary: 'List the distributions of a project, newest first',
    description: 'The forms of one project. The workspace is that of the project.',
    reply: schema.distributions,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, project_id: id };
      const { distributions } = await rpc.passes.ListDistributions(request);
      return data(distributions.map(presentDistribution));
    },
  }),
];
