import { platform, Refusal } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Caller } from '../../middleware/caller';
import { requireBoundTo } from '../../middleware/token-scope';
import {
  data,
  del,
  type FindWorkspace,
  get,
  member,
  memberOfField,
  memberOfRow,
  message,
  post,
  type Route,
  user,
  workspaceOfRow,
} from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { BATCH_MEMBERS_MAX, LIST_MEMBERS_MAX } from '../../schema/bounds';
import { fromMoment, untilMoment } from '../../schema/types';
import { pageMeta } from '../clients/present';
import { recordBatch } from './batch';
import { presentAggregates, presentRecorded, presentRecording } from './present';
import * as schema from './schema';

const tag = 'Events';

/**
 * Form first, then the pass: so an unknown pass and a foreign one look the same with a bad body. One that is gone by
 * now is enough for the repeat of an event (part 3, section 1.3).
 */
const workspaceOfPass: FindWorkspace = async (rpc, _params, body) => {
  const { value, error } = schema.eventOfAnyTime.validate(body, { convert: false });
  if (error) return '';
  const { passes } = await rpc.clients.LocatePasses({ pass_ids: [value.pass_id], with_gone: true });
  const [pass] = passes;
  if (!pass) throw platform.recordNotFound();
  return pass.workspace_id;
};

const workspaceOfEvent = workspaceOfRow((rpc, row) => rpc.clients.LocateEvent(row));

/** The events of passes, clients and workspaces (part 2, Events; part 3, section 12). */
export const eventRoutes: Route[] = [
  post('/events', {
    stack: memberOfRow(workspaceOfPass),
    tag,
    summary: 'Record an event of a pass',
    description:
      'What happened at a till or a door, for the client behind a pass. A purchase moves rules, tiers, referrals and figures within seconds. Send an external_id: a repeat then gives the stored event back and counts once.',
    body: schema.createEvent,
    reply: schema.event,
    handle: async ({ rpc, workspaceId, body: event }) =>
      presentRecording(await rpc.clients.RecordEvent({ workspace_ids: [workspaceId], event })),
  }),
  post('/events/batch', {
    stack: user(),
    tag,
    summary: 'Record up to 1000 events; each stands alone',
    description:
      'Events are kept a hundred at a time. What could not be written is among the errors, with its index, to be sent again, under the same Idempotency-Key, too; 503 says that nothing was kept.',
    admitsItself: true,
    body: schema.createEvents,
    bodyMembersMax: BATCH_MEMBERS_MAX,
    reply: schema.recordedEvents,
    handle: async ({ rpc, caller, admitted, body: { events } }) => {
      const ownOf = async (candidates: readonly string[]) => {
        const own = await workspacesOf(rpc, caller, candidates);
        for (const { workspace_id } of own) admitted.add(workspace_id);
        return own;
      };
      const recorded = await recordBatch(rpc, events, ownOf);
      return { ...data(presentRecorded(recorded)), isUnfinished: recorded.unfinished };
    },
  }),
  del('/events/batch', {
    stack: memberOfField('body'),
    tag,
    summary: 'Delete events of a workspace; points are not undone',
    description:
      'For test data and wrong imports. Ids that are not in the workspace are passed over, and the answer says how many were deleted; points and figures over all time stay.',
    body: schema.deleteEvents,
    bodyMembersMax: LIST_MEMBERS_MAX,
    reply: schema.deletedEvents,
    handle: async ({ rpc, workspaceId, body: { event_ids } }) =>
      data(await rpc.clients.DeleteEvents({ workspace_id: workspaceId, event_ids })),
  }),
  post('/events/aggregate', {
    stack: memberOfField('body'),
    tag,
    summary: 'Count or add up events over a window, per pass and per time',
    description: 'Amounts of several currencies do not add up: `currency` takes those of one.',
    readOnly: true,
    body: schema.aggregateEvents,
    bodyMembersMax: LIST_MEMBERS_MAX,
    reply: schema.aggregate,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = {
        ...body,
        workspace_id: workspaceId,
        from_date: fromMoment(body.from_date),
        to_date: untilMoment(body.to_date),
      };
      return data(presentAggregates(body, await rpc.clients.AggregateEvents(request)));
    },
  }),
  get('/events/:id', {
    stack: memberOfRow(workspaceOfEvent),
    tag,
    summary: 'Read an event',
    description:
      'The event as it was stored; a refund also says in `refund_link` whether its sale was found.',
    reply: schema.event,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.clients.GetEvent({ workspace_id: workspaceId, id })),
  }),
  del('/events/:id', {
    stack: memberOfRow(workspaceOfEvent),
    tag,
    summary: 'Delete an event; points are not undone',
    description:
      'It leaves the trail, and segments that look at what happened lately forget it. Points, tiers, rewards and figures over all time stay; to take points back, record a refund or cancel the entry.',
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.clients.DeleteEvents({ workspace_id: workspaceId, event_ids: [id] });
      return message('the event is deleted');
    },
  }),
  post(':ws/engagement', {
    stack: member(),
    tag,
    summary: 'Record that a client came, left or was scanned',
    description:
      'For doors, apps and beacons: it is stored, told to webhooks as `engagement.<event_type>`, and can fire rules of custom events. No pass is needed.',
    body: schema.createEngagement,
    status: 201,
    reply: schema.event,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.clients.RecordEngagement({ ...body, workspace_id: workspaceId })),
  }),
  post(':ws/custom-events', {
    stack: member(),
    tag,
    summary: 'Record an event of your own making, for custom_event rules',
    description:
      'For what the catalogue has no word for, a quiz or a workshop: choose an event_type, put what rules need into metadata, and name a client or a pass. Webhooks hear it as `custom.<event_type>`.',
    body: schema.createCustomEvent,
    status: 201,
    reply: schema.event,
    handle: async ({ rpc, workspaceId, body }) =>
      presentRecording(await rpc.clients.RecordCustomEvent({ ...body, workspace_id: workspaceId })),
  }),
  get(':ws/events', {
    stack: member(),
    tag,
    summary: 'List events of a workspace, newest first',
    description:
      'All that was recorded, filtered by pass, client, kind, source or time. To hear of events as they happen, take the stream or a webhook.',
    query: schema.listEvents,
    reply: schema.events,
    handle: async ({ rpc, workspaceId, query }) => {
      const page = await rpc.clients.ListEvents({ ...toRequest(query), workspace_id: workspaceId });
      const next_cursor = page.next_cursor ?? null;
      return data(page.events, { ...pageMeta(query, page), next_cursor });
    },
  }),
  get(':ws/clients/:id/events', {
    stack: member(),
    tag,
    summary: 'List events of a client, newest first',
    description:
      'The trail of one person over all of their passes. After a merge it has the events of both.',
    query: schema.listClientEvents,
    reply: schema.events,
    handle: async ({ rpc, workspaceId, params: { id }, query }) => {
      const request = { ...toRequest(query), workspace_id: workspaceId, client_id: id };
      const page = await rpc.clients.ListEvents({ ...request, known_client: true });
      return data(page.events, pageMeta(query, page));
    },
  }),
];

function toRequest<Query extends schema.ListEventsQuery>(query: Query) {
  const { from_date, to_date, offset = 0, ...filter } = query;
  return { ...filter, offset, from_date: fromMoment(from_date), to_date: untilMoment(to_date) };
}

/**
 * Those of the workspaces that the user is a member of; a pass elsewhere is an unknown pass. A token that is bound to another
 * of them is refused.
 */
async function workspacesOf(
  rpc: RpcClients,
  caller: Caller,
  candidates: readonly string[],
): Promise<identity.Membership[]> {
  const user_id = caller.userId ?? '';
  const memberships = await Promise.all(
    candidates.map(async (workspace_id) => {
      try {
        return [await rpc.identity.ResolveMembership({ workspace_id, user_id })];
      } catch (error) {
        if (error instanceof Refusal && error.httpStatus === 403) return [];
        throw error;
      }
    }),
  );
  const own = memberships.flat();
  for (const { workspace_id } of own) requireBoundTo(caller, workspace_id);
  return own;
}
