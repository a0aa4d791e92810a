import type { tiers as api } from '@laurel/rpc';
import {
  bare,
  data,
  del,
  get,
  member,
  message,
  patch,
  post,
  type Route,
  tagged,
  versioned,
  withoutDeadline,
} from '../../routing';
import { LIST_MEMBERS_MAX } from '../../schema/bounds';
import { listByKey, ofKey } from '../../schema/types';
import { clientTierRoutes } from './client-tiers';
import { presentCounts, toClientFilter, toPreview, toTierFields, toTierSetFields } from './present';
import * as schema from './schema';

const tag = 'Tiers';

/** The tier set and its tiers (part 1, Tiers; part 3, section 5). */
export const tierRoutes: Route[] = [
  get(':ws/tiers/set', {
    stack: member(),
    tag,
    summary: 'Read the tier set with its tiers; null without one',
    description:
      'Which figures decide about tiers, over which time somebody can fall, and the tiers themselves in one answer.',
    reply: schema.tierSetOrNull,
    versioned: true,
    handle: async ({ rpc, workspaceId }) => {
      const { tier_set } = await rpc.tiers.GetTierSet({ workspace_id: workspaceId });
      return tier_set ? versioned(tier_set) : data(null);
    },
  }),
  post(':ws/tiers/set', {
    stack: member(),
    tag,
    summary: 'Create the tier set',
    description:
      'Say first which figures count: points earned, money spent, number of purchases. One set for a workspace: a second one is refused with 409 `tier_set_exists`; tiers are created afterwards.',
    body: schema.createTierSet,
    status: 201,
    reply: schema.tierSet,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { ...toTierSetFields(body), name: body.name, workspace_id: workspaceId };
      return data(await rpc.tiers.CreateTierSet(request));
    },
  }),
  patch(':ws/tiers/set', {
    stack: member(),
    tag,
    summary: 'Change the tier set; what that does to clients is the work of the resync job',
    description:
      'Conditions are replaced as a whole. Clients are not moved in the call: the answer names a resync job, or null where none can be affected. While active is false tiers stay as they are.',
    body: schema.updateTierSet,
    wrapped: false,
    reply: schema.changedTierSet,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { ...toTierSetFields(body), workspace_id: workspaceId };
      const { tier_set, resync_job_id } = await rpc.tiers.UpdateTierSet(request);
      const { etag, ...set } = tier_set!;
      return tagged(bare({ data: set, resync_job_id }), etag);
    },
  }),
  del(':ws/tiers/set', {
    stack: member(),
    tag,
    summary: 'Delete the tier set and its tiers',
    description:
      'Clients have no tier from then on; a job tells of each who had one as `tier_demoted`. Refused with 409 and `used_by` while something in use names one of the tiers.',
    versioned: true,
    handle: async ({ rpc, workspaceId }) => {
      await rpc.tiers.DeleteTierSet({ workspace_id: workspaceId });
      return message('the tier set and its tiers are deleted');
    },
  }),
  get(':ws/tiers', {
    stack: member(),
    tag,
    summary: 'List tiers by sort_order',
    description:
      'Lowest first, those that only people assign (`exclusive`) among them. Empty where no tier set exists.',
    query: listByKey(),
    reply: schema.tiers,
    handle: async ({ rpc, workspaceId, query: { key } }) =>
      data(ofKey((await rpc.tiers.ListTiers({ workspace_id: workspaceId })).tiers, key)),
  }),
  post(':ws/tiers', {
    stack: member(),
    tag,
    summary: 'Create a tier',
    description:
      'condition_values name the thresholds of the set’s conditions that this tier asks for; an `exclusive` one needs none and is only assigned. Clients who qualify enter it by a resync in the background.',
    body: schema.createTier,
    status: 201,
    reply: schema.tier,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { ...toTierFields(body), name: body.name, workspace_id: workspaceId };
      return data(await rpc.tiers.CreateTier(request as api.CreateTierRequest));
    },
  }),
  get(':ws/tiers/clients', {
    stack: member(),
    tag,
    summary: 'List clients with their tiers; filters compose, cf_<field> compares a custom field',
    description:
      'Who is in a tier: tier_id takes an id, `untiered` or `loyalty_disabled`, and cf_<field> a value of a custom field. All filters must hold.',
    query: schema.listTierClients,
    reply: schema.tierClients,
    handle: async ({ rpc, workspaceId, query }) => {
      const filter = toClientFilter(query);
      const request = { ...filter, workspace_id: workspaceId };
      const { clients, total } = await rpc.tiers.ListTierClients(request);
      return data(clients, { total });
    },
  }),
  get(':ws/tiers/client-counts', {
    stack: member(),
    tag,
    summary: 'Count the clients of each tier, those in none and those not enrolled',
    description:
      'One figure for each tier id, and `untiered` and `loyalty_disabled` beside them, for a chart of the programme.',
    reply: schema.clientCounts,
    handle: async ({ rpc, workspaceId }) =>
      data(presentCounts(await rpc.tiers.CountTierClients({ workspace_id: workspaceId }))),
  }),
  post(':ws/tiers/reorder', {
    stack: member(),
    tag,
    summary: 'Put the tiers in an order, lowest first',
    description:
      'Every tier of the set, exactly once; the highest one that a client qualifies for is theirs. Clients who stand otherwise then are moved by the resync job that is named.',
    body: schema.reorderTiers,
    wrapped: false,
    reply: schema.reorderedTiers,
    handle: async ({ rpc, workspaceId, body }) => {
      const { tiers, resync_job_id } = await rpc.tiers.ReorderTiers({
        workspace_id: workspaceId,
        tier_ids: body.tier_ids,
      });
      return bare({ data: tiers, resync_job_id });
    },
  }),
  post(':ws/tiers/preview', {
    stack: member(),
    tag,
    summary: 'Tell what a resync would change under other rules; writes nothing',
    description: 'A tier of the request without an id is named new:<its position> in the answer.',
    body: schema.previewTiers,
    readOnly: true,
    reply: schema.preview,
    handle: ({ rpc, workspaceId, body }) =>
      withoutDeadline(async () =>
        data(await rpc.tiers.PreviewTiers({ ...toPreview(body), workspace_id: workspaceId })),
      ),
  }),
  post(':ws/tiers/recalculate', {
    stack: member(),
    tag,
    summary: 'Evaluate everybody, or the named clients, in the background',
    description:
      'Tiers move by themselves: call this only to have it done now, or for named clients. The answer is a job whose progress can be read, and each change emits its event as always.',
    body: schema.recalculateTiers,
    bodyMembersMax: LIST_MEMBERS_MAX,
    status: 202,
    reply: schema.resyncJob,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.tiers.RecalculateTiers({ ...body, workspace_id: workspaceId })),
  }),
  get(':ws/tiers/resync-jobs', {
    stack: member(),
    tag,
    summary: 'List resync jobs, newest first',
    description:
      'What evaluated clients in the background after a change of tiers or on demand, with how many were moved.',
    query: schema.listResyncJobs,
    reply: schema.resyncJobs,
    handle: async ({ rpc, workspaceId, query: { limit, offset = 0 } }) => {
      const request = { workspace_id: workspaceId, limit, offset };
      const { jobs, total } = await rpc.tiers.ListResyncJobs(request);
      return data(jobs, { total, limit, offset });
    },
  }),
  get(':ws/tiers/resync-jobs/:id', {
    stack: member(),
    tag,
    summary: 'Read how far a resync job is',
    description:
      'Poll it after a change until status is `completed` or `failed`: how many clients were looked at, promoted and demoted.',
    reply: schema.resyncJob,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.tiers.GetResyncJob({ workspace_id: workspaceId, id })),
  }),
  get(':ws/tiers/:id', {
    stack: member(),
    tag,
    summary: 'Read a tier',
    description:
      'Thresholds, benefits, colours and notifications of one tier. An unknown one is answered with 400 `tier_not_found`.',
    reply: schema.tier,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.tiers.GetTier({ workspace_id: workspaceId, id })),
  }),
  patch(':ws/tiers/:id', {
    stack: member(),
    tag,
    summary: 'Change a tier; resync_job_id is null where nobody can be affected',
    description:
      'Fields that are left out stay. Where clients may stand otherwise now, a resync job evaluates them in the background and each change emits `tier_promoted` or `tier_demoted`; try it with preview first.',
    body: schema.updateTier,
    wrapped: false,
    reply: schema.changedTier,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const request = { ...toTierFields(body), workspace_id: workspaceId, id };
      const saved = await rpc.tiers.UpdateTier(request as api.UpdateTierRequest);
      const { etag, ...tier } = saved.tier!;
      return tagged(bare({ data: tier, resync_job_id: saved.resync_job_id }), etag);
    },
  }),
  del(':ws/tiers/:id', {
    stack: member(),
    tag,
    summary: 'Delete a tier; its clients fall to the tier due',
    description:
      'The clients in it are evaluated anew by the resync job that is named. Refused with 409 and `used_by` while something in use names it.',
    wrapped: false,
    reply: schema.deletedTier,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const { resync_job_id } = await rpc.tiers.DeleteTier({ workspace_id: workspaceId, id });
      return bare({ message: 'the tier is deleted', resync_job_id });
    },
  }),
  ...clientTierRoutes,
];
