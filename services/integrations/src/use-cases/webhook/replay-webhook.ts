import { invalidField } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { keptUntil } from '../../domain/retention';
import { asksFor } from '../../domain/subscription';
import { refusals } from '../../refusals';
import { pendingDelivery } from '../../store/deliveries';
import type { EventRow } from '../../store/events';
import type { LeasedReplay, ReplayRow } from '../../store/replays';
import { requireWebhook } from './read-webhooks';
import { requireEventTypes } from './require-webhook-fields';
import { toReplayReply } from './wire';

const BATCH = 500;
/** After that long the replays of others get their turn. */
const SLICE_MS = 5_000;

/** Asks for the events of a time range to be sent again. `workReplay` does it. */
export async function replayWebhook(
  deps: WebhookDeps,
  command: integrations.ReplayWebhookRequest,
): Promise<integrations.WebhookReplay> {
  const { connection, replays } = deps;
  return checkAndCommitOnce(
    connection,
    () => replayOf(deps, command),
    async (session, row) => {
      await replays.insert(row, session);
      return toReplayReply(row);
    },
  );
}

/** The replay as it is to be kept; refused where it cannot be. */
async function replayOf(
  deps: WebhookDeps,
  command: integrations.ReplayWebhookRequest,
): Promise<Omit<ReplayRow, 'due_at'>> {
  const { workspace_id: workspaceId, webhook_id: webhookId } = command;
  const { settings } = deps;
  const webhook = await requireWebhook(deps, workspaceId, webhookId);
  const now = new Date();
  const from = new Date(command.from_date);
  const to = new Date(Math.min(new Date(command.to_date).getTime(), now.getTime()));
  if (from > new Date(command.to_date)) {
    throw invalidField('to_date', 'to_date must not be before from_date');
  }
  const eventTypes = command.event_types
    ? requireEventTypes(command.event_types, settings.webhookNames)
    : webhook.event_types;
  if (!webhook.active) throw refusals.webhookInactive();
  return {
    _id: newId(),
    workspace_id: workspaceId,
    webhook_id: webhookId,
    from,
    to,
    event_types: eventTypes,
    with_calls: command.event_types === undefined,
    status: 'pending',
    position: { at: from, id: '' },
    expires_at: keptUntil(now, settings.retentionDays),
  };
}

/** Takes a replay on in batches, to its end or until others have their turn; a crash goes on where it stood. */
export async function workReplay(deps: WebhookDeps, replay: LeasedReplay): Promise<void> {
  const { replays, events, webhooks } = deps;
  const { workspace_id: workspaceId, webhook_id: webhookId } = replay;
  const endsAt = Date.now() + SLICE_MS;
  let after = replay.position;
  for (;;) {
    const webhook = await webhooks.get(workspaceId, webhookId);
    if (!webhook) break;
    const query = { after, to: replay.to, now: new Date(), limit: BATCH };
    const batch = await events.range(workspaceId, query);
    const wanted = batch.filter((event) => isFor(replay, event));
    if (wanted.length > 0) await sendAgain(deps, replay, wanted);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) break;
    after = { at: last.occurred_at, id: last._id };
    if (!(await replays.advance(replay, after))) return;
    if (Date.now() >= endsAt) {
      await replays.rest(replay);
      return;
    }
  }
  await replays.complete(replay);
}

/** What the webhook gets: where no types are named, that is the calls of rules, too. */
function isFor(
  { webhook_id, event_types, with_calls }: ReplayRow,
  { target, type }: Omit<EventRow, 'body'>,
): boolean {
  if (target !== null && target !== webhook_id) return false;
  return (target !== null && with_calls === true) || asksFor(event_types, type);
}

async function sendAgain(
  { deliveries, sender, settings }: WebhookDeps,
  { _id: replayId, workspace_id: workspaceId, webhook_id: webhookId }: ReplayRow,
  events: readonly Omit<EventRow, 'body'>[],
): Promise<void> {
  const now = new Date();
  const eventIds = events.map(({ _id }) => _id);
  await deliveries.rearmFor(workspaceId, webhookId, { eventIds, replayId, now });
  await deliveries.insertMissing(
    workspaceId,
    webhookId,
    events.map((event) =>
      pendingDelivery(
        {
          _id: newId(),
          workspace_id: workspaceId,
          webhook_id: webhookId,
          event_id: event._id,
          event_type: event.type,
          subject: event.subject,
          occurred_at: event.occurred_at,
          expires_at: keptUntil(now, settings.retentionDays),
        },
        now,
        replayId,
      ),
    ),
  );
  sender.poke([{ workspaceId, webhookId }]);
}
