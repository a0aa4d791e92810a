import { setTimeout as pause } from 'node:timers/promises';
import { type CloudEvent, webhookName } from '@laurel/events';
import { groupBy } from '@laurel/lifecycle';
import type { WebhookDeps } from '../../deps';
import { renderEntry } from '../../domain/message';
import { keptUntil, TELLS_ERASURE } from '../../domain/retention';
import type { NewFeedEntry } from '../../store/feed-entries';
import type { FeedRow } from '../../store/feeds';
import { catchUp } from '../catch-up';

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
  const once = [...new Map(events.map((event) => [event.id, event])).values()];
  const ids = once.map(({ id }) => id);
  for (;;) {
    const known = await feedEntries.known(workspaceId, feed, ids);
    const fresh = once.filter(({ id }) => !known.has(id));
    const last = Math.max(sequence, (await feedEntries.last(workspaceId, feed)) ?? 0);
    const isDone =
      fresh.length === 0 ||
      (await feedEntries.append(workspaceId, { feed, last }, await entriesOf(deps, fresh)));
    if (!isDone) {
      await pause(Math.random() * RETRY_MS);
      continue;
    }
    // Who departed while this was written is found by one of the two: this look, or that of the merge or erasure.
    await catchUp(
      deps,
      once.map(({ subject }) => ({ workspaceId, subject })),
    );
    // Also where everything was there already: who wrote it may have died before it came to this line.
    await feeds.advance(workspaceId, feed, last + fresh.length);
    bell.ring(workspaceId, last + fresh.length);
    return;
  }
}

async function entriesOf(deps: FeedDeps, events: readonly Told[]): Promise<NewFeedEntry[]> {
  const erased = await erasedAmong(deps, events);
  const expiresAt = keptUntil(new Date(), deps.settings.retentionDays);
  return events.map((event) => {
    const { id, workspaceid: workspaceId, subject, time, data } = event;
    const type = webhookName(event.type)!;
    const timestamp = new Date(time).toISOString();
    return {
      event_id: id,
      type,
      subject,
      occurred_at: new Date(time),
      body: erased.has(id) ? null : renderEntry({ id, type, timestamp, data, workspaceId }),
      expires_at: expiresAt,
    };
  });
}

/** Those of the events that tell of a person who is erased by now, and of more than that. */
async function erasedAmong(
  { departures }: FeedDeps,
  events: readonly Told[],
): Promise<Set<string>> {
  const personal = events.filter(({ type }) => !TELLS_ERASURE.has(webhookName(type)!));
  const whose = await Promise.all(
    personal.map(({ workspaceid, subject }) => departures.currentOf(workspaceid, subject)),
  );
  return new Set(personal.filter((_, at) => whose[at]!.ended !== null).map(({ id }) => id));
}
