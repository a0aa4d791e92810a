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
  versioned,
} from '../../routing';
import { fromMoment, untilMoment } from '../../schema/types';
import { presentDelivery, presentDeliveryDetail, presentWebhook } from './present';
import * as schema from './schema';

const tag = 'Webhooks';

/** Outbound webhooks (part 3, section 14). */
export const webhookRoutes: Route[] = [
  get(':ws/webhooks', {
    stack: member(),
    tag,
    summary: 'List webhooks, newest first',
    description: 'Secrets are never in it. `disabled_reason` says why the platform gave one up.',
    query: schema.listWebhooks,
    reply: schema.webhooks,
    handle: async ({ rpc, workspaceId, query: { key, limit, offset = 0 } }) => {
      const request = { workspace_id: workspaceId, key, limit, offset };
      const { data: webhooks, total } = await rpc.integrations.ListWebhooks(request);
      return data(webhooks.map(presentWebhook), { total, limit, offset });
    },
  }),
  post(':ws/webhooks', {
    stack: member(),
    tag,
    summary: 'Register a webhook; its secret is shown only this once',
    description:
      'https only; event_types are names of the catalogue, or `*`. Check every call by the secret, which signs as Standard Webhooks says; order is kept for each client as far as repeats allow.',
    body: schema.createWebhook,
    status: 201,
    wrapped: false,
    reply: schema.webhookWithSecret,
    idempotent: false,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      const { data: created, secret } = await rpc.integrations.CreateWebhook(request);
      return bare({ data: presentWebhook(created!), secret });
    },
  }),
  get(':ws/webhooks/:id', {
    stack: member(),
    tag,
    summary: 'Read a webhook',
    description: 'Address, types and whether it is failing; deliveries are listed by themselves.',
    reply: schema.webhook,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(
        await rpc.integrations.GetWebhook({ workspace_id: workspaceId, id }),
        presentWebhook,
      ),
  }),
  patch(':ws/webhooks/:id', {
    stack: member(),
    tag,
    summary: 'Change a webhook; activating a disabled one is a fresh start',
    description:
      'Fields that are left out stay. A webhook that the platform gave up begins anew when active is set to true.',
    body: schema.updateWebhook,
    reply: schema.webhook,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const request = { workspace_id: workspaceId, id, ...body };
      return versioned(await rpc.integrations.UpdateWebhook(request), presentWebhook);
    },
  }),
  del(':ws/webhooks/:id', {
    stack: member(),
    tag,
    summary: 'Delete a webhook and its deliveries',
    description: 'What waits is not sent any more. Refused with 409 while an active rule calls it.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.integrations.DeleteWebhook({ workspace_id: workspaceId, id });
      return message('the webhook is deleted');
    },
  }),
  post(':ws/webhooks/:id/rotate-secret', {
    stack: member(),
    tag,
    summary: 'Give a webhook a new secret; the old one signs along for 24 hours',
    description:
      'Shown this once. Calls carry both signatures for a day, so that the receiver can change over without losing one.',
    wrapped: false,
    reply: schema.webhookWithSecret,
    idempotent: false,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, id };
      const { data: rotated, secret } = await rpc.integrations.RotateWebhookSecret(request);
      return bare({ data: presentWebhook(rotated!), secret });
    },
  }),
  post(':ws/webhooks/:id/test', {
    stack: member(),
    tag,
    summary: 'Send webhook.test now and tell what came of it',
    description:
      'It waits for the receiver and answers status and time, or why nothing came back. Nothing is kept as a delivery. One that came with a clone is tested once it was switched on: until then it has no secret.',
    reply: schema.testResult,
    handle: async ({ rpc, workspaceId, params: { id }, awaitPeer }) => {
      const request = { workspace_id: workspaceId, id };
      const { status_code, duration_ms, error } = await awaitPeer(() =>
        rpc.integrations.TestWebhook(request),
      );
      return data({ status_code: status_code ?? null, duration_ms, error: error ?? null });
    },
  }),
  get(':ws/webhooks/:id/deliveries', {
    stack: member(),
    tag,
    summary: 'List what was sent to a webhook and what is still to be sent, newest first',
    description:
      'The first place to look when something did not arrive: each with attempts, the last answer and the next try.',
    query: schema.listDeliveries,
    reply: schema.deliveries,
    handle: async ({ rpc, workspaceId, params: { id }, query }) => {
      const request = { workspace_id: workspaceId, webhook_id: id, ...query };
      const { data: page, next_cursor } = await rpc.integrations.ListWebhookDeliveries(request);
      return data(page.map(presentDelivery), {
        limit: query.limit,
        next_cursor: next_cursor ?? null,
      });
    },
  }),
  get(':ws/webhooks/:id/deliveries/:deliveryId', {
    stack: member(),
    tag,
    summary: 'Read a delivery with what it sends, the answer and every attempt',
    description:
      'attempts are the requests that were made, newest first; attempt_count is what lists call attempts. response is the first 4 KB of the last answer. payload is null once the event is no longer kept.',
    reply: schema.deliveryDetail,
    handle: async ({ rpc, workspaceId, params: { id, deliveryId } }) => {
      const request = { workspace_id: workspaceId, webhook_id: id, delivery_id: deliveryId };
      return data(presentDeliveryDetail(await rpc.integrations.GetWebhookDelivery(request)));
    },
  }),
  post(':ws/webhooks/:id/deliveries/:deliveryId/retry', {
    stack: member(),
    tag,
    summary: 'Send a delivery again now',
    description:
      'After the receiver was mended, without waiting for the next try; the schedule of repeats begins anew. It has the same `webhook-id`, so that a receiver can pass over what it has.',
    status: 202,
    reply: schema.delivery,
    handle: async ({ rpc, workspaceId, params: { id, deliveryId } }) => {
      const request = { workspace_id: workspaceId, webhook_id: id, delivery_id: deliveryId };
      return data(presentDelivery(await rpc.integrations.RetryWebhookDelivery(request)));
    },
  }),
  post(':ws/webhooks/:id/replay', {
    stack: member(),
    tag,
    summary: 'Send the events of a time range again',
    description:
      'For a receiver that lost something: events of the range are sent again in the background, all types of the webhook unless event_types names some. Receivers pass over what they have by its `webhook-id`.',
    body: schema.replayWebhook,
    status: 202,
    reply: schema.replay,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const { from_date, to_date, event_types } = body;
      return data(
        await rpc.integrations.ReplayWebhook({
          workspace_id: workspaceId,
          webhook_id: id,
          from_date: fromMoment(from_date)!,
          to_date: untilMoment(to_date)!,
          ...(event_types === undefined ? {} : { event_types }),
        }),
      );
    },
  }),
];
