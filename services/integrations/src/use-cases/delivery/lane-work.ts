import type { Logger } from '@laurel/lifecycle';
import type { Vault } from '@laurel/secrets';
import { EXPIRED } from '../../domain/decide-delivery';
import type { AttemptStore } from '../../store/attempts';
import type { DeliveryStore } from '../../store/deliveries';
import type { DeliveryResult } from '../../store/delivery-results';
import type { EventStore } from '../../store/events';
import type { LaneStore } from '../../store/lanes';
import type { WebhookStore } from '../../store/webhooks';
import { signingKeys } from './endpoint';
import type { Lane } from './lane';

const LOAD_MAX = 500;
/** Loaded again when fewer than these are waiting. */
const LOAD_BELOW = 250;

export interface LaneWorkDeps {
  owner: string;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  attempts: AttemptStore;
  events: EventStore;
  lanes: LaneStore;
  vault: Vault;
  logger: Logger;
  record: (result: DeliveryResult) => Promise<void>;
}

export type LaneWork = ReturnType<typeof createLaneWork>;

/** What the store knows of a lane: its endpoint, what is due, and giving it back. */
export function createLaneWork(deps: LaneWorkDeps) {
  return {
    refresh: (some: readonly Lane[]) => refresh(deps, some),
    load: (lane: Lane) => load(deps, lane),
    giveBack: (lane: Lane) => giveBack(deps, lane),
    giveUp: (lane: Lane) => giveUp(deps, lane),
    purge: (lane: Lane) => purge(deps, lane),
    wantsMore,
  };
}

/** Reads the endpoints of lanes anew. Those that change in this process meanwhile are left alone until that is written. */
async function refresh(deps: LaneWorkDeps, some: readonly Lane[]): Promise<void> {
  const { webhooks, vault } = deps;
  const steady = some.filter((lane) => lane.settling === 0);
  if (steady.length === 0) return;
  const before = new Map(steady.map((lane) => [lane, lane.settlements]));
  const rows = await webhooks.byIds(steady.map((lane) => lane.webhookId));
  const byId = new Map(rows.map((row) => [row._id, row]));
  for (const lane of steady) {
    if (lane.settlements !== before.get(lane)) continue;
    const row = byId.get(lane.webhookId);
    if (row) lane.meet(row, signingKeys(row, vault, new Date()));
    else lane.webhook = undefined;
  }
  await refresh(
    deps,
    steady.filter((lane) => lane.settlements !== before.get(lane)),
  );
}

/** Brings what is due into the lane. */
async function load({ deliveries, events, record }: LaneWorkDeps, lane: Lane): Promise<void> {
  const { workspaceId, webhookId } = lane;
  lane.dirty = false;
  const now = new Date();
  const limit = LOAD_MAX + lane.held.size;
  const fresh = await lane.unknownOf(async () => {
    const due = await deliveries.due(workspaceId, webhookId, { now, limit });
    lane.hasMore = due.length === limit;
    return due;
  });
  if (fresh.length === 0) return;
  const kept = await events.kept(
    workspaceId,
    fresh.map(({ event_id }) => event_id),
    now,
  );
  for (const delivery of fresh) {
    const event = kept.get(delivery.event_id);
    if (event) lane.add({ ...delivery, body: event.body, keptUntil: event.expires_at });
    else await record(expired(workspaceId, delivery));
  }
}

/** True when the lane is free again; false when there is more to do. */
async function giveBack(deps: LaneWorkDeps, lane: Lane): Promise<boolean> {
  const { owner, lanes, logger } = deps;
  const { workspaceId, webhookId } = lane;
  const nudges = await lanes.nudgesOf(webhookId);
  const dueAt = await nextLook(deps, lane);
  if (dueAt && dueAt.getTime() <= Date.now()) {
    lane.dirty = true;
    return false;
  }
  if (await lanes.release(webhookId, { owner, nudges, dueAt })) return true;
  lane.dirty = true;
  if (lane.webhook === undefined || !lane.webhook.active) await refresh(deps, [lane]);
  logger.debug({ webhook_id: webhookId, workspace_id: workspaceId }, 'a lane got more work');
  return false;
}

async function nextLook({ deliveries }: LaneWorkDeps, lane: Lane): Promise<Date | null> {
  const { webhook, workspaceId, webhookId } = lane;
  if (!webhook?.active) return null;
  const next = await deliveries.nextDueAt(workspaceId, webhookId);
  const pausedUntil = webhook.paused_until;
  if (next && pausedUntil && pausedUntil > next) return pausedUntil;
  return next;
}

/** Ends what waits for an endpoint that answered 410: it would wait for ever. */
async function giveUp(
  { deliveries }: LaneWorkDeps,
  { workspaceId, webhookId }: Lane,
): Promise<void> {
  await deliveries.failWaiting(workspaceId, webhookId, {
    reason: 'webhook_gone',
    error: 'the endpoint answered 410 before',
  });
}

/** Removes what is left of a webhook that was deleted. */
async function purge(
  { deliveries, attempts, lanes }: LaneWorkDeps,
  { workspaceId, webhookId }: Lane,
): Promise<void> {
  await deliveries.removeWebhook(workspaceId, webhookId);
  await attempts.removeWebhook(workspaceId, webhookId);
  await lanes.remove(webhookId);
}

function wantsMore(lane: Lane): boolean {
  return (lane.dirty || lane.hasMore) && lane.queued < LOAD_BELOW;
}

function expired(
  workspaceId: string,
  { _id, round }: { _id: string; round: number },
): DeliveryResult {
  return {
    id: _id,
    workspaceId,
    round,
    ...EXPIRED,
    responseStatus: null,
    error: 'the event is no longer kept',
    at: new Date(),
    attempt: null,
  };
}
