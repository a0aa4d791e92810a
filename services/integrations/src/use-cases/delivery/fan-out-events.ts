import {
  type AutomationWebhook,
  type CloudEvent,
  type OnceForBatch,
  webhookName,
} from '@laurel/events';
import { groupBy, newId } from '@laurel/lifecycle';
import type { WebhookDeps } from '../../deps';
import { getsDelivery } from '../../domain/decide-delivery';
import { renderMessage } from '../../domain/message';
import { keptUntil } from '../../domain/retention';
import { type DeliveryRow, pendingDelivery } from '../../store/deliveries';
import { type EventRow, eventAfterErasure } from '../../store/events';
import type { WebhookRow } from '../../store/webhooks';
import { aboutWhom, catchUp, type WhoNow, whoNow } from '../catch-up';

type Subscriber = Pick<WebhookRow, '_id' | 'workspace_id' | 'event_types' | 'active'>;
/** An event that webhooks may carry. */
type Carried = CloudEvent & { workspaceid: string };

/**
 * Turns events into deliveries: one per active webhook of the workspace that asks for the type,
 * committed together with the note that the event was handled. Events of workspaces without webhooks
 * leave no trace.
 */
export async function fanOutEvents(
  deps: WebhookDeps,
  events: readonly CloudEvent[],
  once: OnceForBatch,
): Promise<void> {
  const carried = events.filter(isCarried);
  if (carried.length === 0) return;
  const subscribers = await subscribersOf(deps, carried);
  const wanted = carried.filter(({ workspaceid }) => subscribers.has(workspaceid));
  if (wanted.length === 0) return;
  const each = await whoNow(deps, wanted.map(aboutWhom));
  const who = new Map(wanted.map(({ id }, at) => [id, each[at]!]));
  const poked = new Map<string, { workspaceId: string; webhookId: string }>();
  const handled = new Set<string>();
  await once(async (session, fresh) => {
    const now = new Date();
    const ids = new Set(fresh.map(({ id }) => id));
    const due = wanted.filter(({ id }) => ids.has(id));
    const deliveries = due.flatMap((event) =>
      recipientsOf(event, subscribers.get(event.workspaceid) ?? []).map((webhookId) =>
        deliveryOf(event, webhookId, { now, retentionDays: deps.settings.retentionDays }),
      ),
    );
    if (due.length > 0) {
      const rows = due.map((event) => eventRow(deps, event, { now, who: who.get(event.id)! }));
      await deps.events.insert(rows, session);
    }
    if (deliveries.length > 0) await deps.deliveries.insert(deliveries, session);
    for (const { workspace_id: workspaceId, webhook_id: webhookId } of deliveries) {
      poked.set(webhookId, { workspaceId, webhookId });
    }
    for (const id of ids) handled.add(id);
  });
  // Also of those that were handled before: who wrote them may have died before it came to this line.
  const repeated = wanted.filter(({ id }) => !handled.has(id));
  const written = [...handled].flatMap((id) => who.get(id) ?? []);
  await catchUp(deps, [...repeated.map(aboutWhom), ...written]);
  deps.sender.poke([...poked.values(), ...(await stillWaiting(deps, repeated, subscribers))]);
}

function isCarried(event: CloudEvent): event is Carried {
  return event.workspaceid !== undefined && webhookName(event.type) !== null;
}

/** Webhooks by workspace, as they are now: those registered before an event get it. */
async function subscribersOf(
  { webhooks }: WebhookDeps,
  events: readonly Carried[],
): Promise<Map<string, Subscriber[]>> {
  const rows = await webhooks.ofWorkspaces([...new Set(events.map((event) => event.workspaceid))]);
  return groupBy(rows, (row) => row.workspace_id);
}

function recipientsOf(event: Carried, subscribers: readonly Subscriber[]): string[] {
  const target = targetOf(event);
  const name = nameOf(event);
  return subscribers
    .filter((webhook) => getsDelivery(webhook, { name, target }))
    .map((webhook) => webhook._id);
}

function nameOf(event: Carried): string {
  return webhookName(event.type) ?? event.type;
}

/** The endpoint that a rule names. */
function targetOf(event: CloudEvent): string | null {
  if (event.type !== 'automations.webhook_called') return null;
  return (event.data as AutomationWebhook).webhook_id;
}

/** What is kept of an event, as of who its client is now. */
function eventRow(
  { settings }: WebhookDeps,
  event: Carried,
  { now, who: { subject, ended } }: { now: Date; who: WhoNow },
): EventRow {
  const { id, workspaceid: workspaceId, time, data } = event;
  const type = nameOf(event);
  const row = {
    _id: id,
    workspace_id: workspaceId,
    type,
    subject,
    occurred_at: new Date(time),
    target: targetOf(event),
    body: renderMessage({ type, timestamp: new Date(time).toISOString(), data, workspaceId }),
    expires_at: keptUntil(now, settings.retentionDays),
  };
  return ended ? eventAfterErasure(row, now) : row;
}

function deliveryOf(
  event: Carried,
  webhookId: string,
  { now, retentionDays }: { now: Date; retentionDays: number },
): DeliveryRow {
  return pendingDelivery(
    {
      _id: newId(),
      workspace_id: event.workspaceid,
      webhook_id: webhookId,
      event_id: event.id,
      event_type: nameOf(event),
      subject: event.subject,
      occurred_at: new Date(event.time),
      expires_at: keptUntil(now, retentionDays),
    },
    now,
  );
}

/** Webhooks that an earlier handling of these events wrote to and then died before it could say so. */
async function stillWaiting(
  { deliveries }: WebhookDeps,
  events: readonly Carried[],
  subscribers: ReadonlyMap<string, Subscriber[]>,
): Promise<{ workspaceId: string; webhookId: string }[]> {
  const byWorkspace = groupBy(events, (event) => event.workspaceid);
  const found = await Promise.all(
    [...byWorkspace].map(async ([workspaceId, some]) => {
      const webhookIds = (subscribers.get(workspaceId) ?? []).map((webhook) => webhook._id);
      const ids = some.map((event) => event.id);
      const waiting = await deliveries.waitingFor(workspaceId, webhookIds, ids);
      return waiting.map((webhookId) => ({ workspaceId, webhookId }));
    }),
  );
  return found.flat();
}
