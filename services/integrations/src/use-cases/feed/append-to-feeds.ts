import { setTimeout as pause } from 'node:timers/promises';
import { type CloudEvent, webhookName } from '@laurel/events';
import { groupBy } from '@laurel/lifecycle';
import type { WebhookDeps } from '../../deps';
import { renderEntry } from '../../domain/message';
import { keptUntil, TELLS_ERASURE } from '../../domain/retention';
import type { NewFeedEntry } from '../../store/feed-entries';
import type { FeedRow } from '../../store/feeds';
import { aboutWhom, catchUp, type WhoNow, whoNow } from '../catch-up';

type FeedDeps = Pick<
  WebhookDeps,
  | 'connection'
  | 'collections'
  | 'departures'
  | 'feeds'
  | 'feedEntries'
  | 'inFeed'
  | 'bell'
  | 'settings'
>;
type Told = CloudEvent & { workspaceid: string };

/** Others add to the same feed at the same time: who lost looks again after up to so long. */
const RETRY_MS = 20;

/**
 * Gives the events of workspaces whose feed somebody follows their numbers. The insert of a number is the commit: no two
 * writers get the same one, and an event that has one gets no other, however often it comes. Events of all other
 * workspaces leave no trace.
 */
export async function appendToFeeds(deps: FeedDeps, events: readonly CloudEvent[]): Promise<void> {
  const told = events.filter(isTold);
  if (told.length === 0) return;
  const byWorkspace = groupBy(told, ({ workspaceid }) => workspaceid);
  const followed = await deps.feeds.among([...byWorkspace.keys()], new Date());
  const appended = followed.map((feed) =>
    deps.inFeed(feed._id, () => append(deps, feed, byWorkspace.get(feed._id) ?? [])),
  );
  await Promise.all(appended);
}

/** What a rule says to one endpoint is between the two. */
function isTold(event: CloudEvent): event is Told {
  return (
    event.workspaceid !== undefined &&
    event.type !== 'automations.webhook_called' &&
    webhookName(event.type) !== null
  );
}

async function append(
  deps: FeedDeps,
  { _id: workspaceId, feed, sequence }: FeedRow,
  events: readonly Told[],
): Promise<void> {
  const { feeds, feedEntries, bell } = deps;
  const ids = events.map(({ id }) => id);
  for (;;) {
    const known = await feedEntries.known(workspaceId, feed, ids);
    const fresh = events.filter(({ id }) => !known.has(id));
    const last = Math.max(sequence, (await feedEntries.last(workspaceId, feed)) ?? 0);
    const who = await whoNow(deps, fresh.map(aboutWhom));
    const entries = fresh.map((event, at) => entryOf(deps, event, who[at]!));
    const isDone =
      fresh.length === 0 || (await feedEntries.append(workspaceId, { feed, last }, entries));
    if (!isDone) {
      await pause(Math.random() * RETRY_MS);
      continue;
    }
    // Who departed while this was written is found by one of the two: this look, or that of the merge or erasure.
    const repeated = events.filter(({ id }) => known.has(id)).map(aboutWhom);
    await catchUp(deps, [...repeated, ...who]);
    // Also where everything was there already: who wrote it may have died before it came to this line.
    await feeds.advance(workspaceId, feed, last + fresh.length);
    bell.ring(workspaceId, last + fresh.length);
    return;
  }
}

/** What is kept of an event, as of who its client is now. */
function entryOf(
  { settings }: FeedDeps,
  { id, workspaceid: workspaceId, time, type, data }: Told,
  { subject, ended }: WhoNow,
): NewFeedEntry {
  const name = webhookName(type)!;
  const timestamp = new Date(time).toISOString();
  const isErased = ended !== null && !TELLS_ERASURE.has(name);
  return {
    event_id: id,
    type: name,
    subject,
    occurred_at: new Date(time),
    body: isErased ? null : renderEntry({ id, type: name, timestamp, data, workspaceId }),
    expires_at: keptUntil(new Date(), settings.retentionDays),
  };
}
