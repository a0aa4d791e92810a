import { decodeCursor, encodeCursor } from '@laurel/mongo';
import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { keptUntil } from '../../domain/retention';
import { asksFor } from '../../domain/subscription';
import { refusals } from '../../refusals';
import type { FeedEntryRow } from '../../store/feed-entries';
import type { FeedRow } from '../../store/feeds';
import { requireEventTypes } from '../webhook/require-webhook-fields';

type FeedDeps = Pick<WebhookDeps, 'feeds' | 'feedEntries' | 'bell' | 'settings'>;

const EVERYTHING = ['*'];
const EVENTS_MAX = 200;
/** Looked through in one go, where few of the events are asked for. */
const LOOKED_MAX = 2_000;
const BYTES_MAX = 1024 * 1024;
const WAIT_MS_MAX = 5_000;
const DAY_MS = 86_400_000;

type Position = [feed: string, sequence: number];

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'string' &&
  Number.isSafeInteger(value[1]) &&
  value[1] >= 0;

/**
 * What happened in a workspace after a cursor, in the order of the feed, waiting a while where that is nothing. Without a
 * cursor it gives the one of now. Reading keeps the feed going: nothing is lost for a reader that comes back within the time
 * that events are kept.
 */
export async function readFeed(
  deps: FeedDeps,
  request: integrations.ReadFeedRequest,
): Promise<integrations.FeedPage> {
  const { workspace_id: workspaceId, cursor, wait_ms: waitMs } = request;
  const eventTypes = request.event_types
    ? requireEventTypes(request.event_types, deps.settings.webhookNames)
    : EVERYTHING;
  const feed = await openFeed(deps, workspaceId);
  if (cursor === undefined) {
    const last = Math.max(
      feed.sequence,
      (await deps.feedEntries.last(workspaceId, feed.feed)) ?? 0,
    );
    return { events: [], cursor: encodeCursor([feed.feed, last]) };
  }
  const position = await requireKept(deps, feed, decodeCursor(cursor, isPosition));
  const page = await readAfter(deps, feed, { position, eventTypes });
  if (page.sequence > position || waitMs <= 0) return toPage(feed, page);
  await deps.bell.wait(workspaceId, position, Math.min(waitMs, WAIT_MS_MAX));
  return toPage(feed, await readAfter(deps, feed, { position, eventTypes }));
}

async function openFeed({ feeds, settings }: FeedDeps, workspaceId: string): Promise<FeedRow> {
  const now = new Date();
  const until = keptUntil(now, settings.retentionDays);
  const feed = await feeds.open(workspaceId, { now, until });
  const isOld = until.getTime() - feed.read_until.getTime() > DAY_MS;
  if (isOld) await feeds.keepUntil(workspaceId, feed.feed, until);
  return feed;
}

/** @returns the number of the position, where everything after it is still kept */
async function requireKept(
  { feedEntries }: FeedDeps,
  { _id: workspaceId, feed, sequence: known }: FeedRow,
  [named, sequence]: Position,
): Promise<number> {
  if (named !== feed) throw refusals.cursorExpired();
  if (sequence >= known) return sequence;
  const first = await feedEntries.first(workspaceId, feed);
  if (first === null || first > sequence + 1) throw refusals.cursorExpired();
  return sequence;
}

interface Read {
  entries: FeedEntryRow[];
  /** The last number that was looked at. */
  sequence: number;
}

/** A scan may pass a place just before it is filled: it ends where a number is missing, which is there the next time. */
async function readAfter(
  { feedEntries }: FeedDeps,
  { _id: workspaceId, feed }: FeedRow,
  { position, eventTypes }: { position: number; eventTypes: readonly string[] },
): Promise<Read> {
  const read: Read = { entries: [], sequence: position };
  let bytes = 0;
  for await (const entry of feedEntries.after(workspaceId, feed, position)) {
    if (entry.sequence !== read.sequence + 1) break;
    read.sequence = entry.sequence;
    if (entry.body !== null && asksFor(eventTypes, entry.type)) {
      read.entries.push(entry);
      bytes += entry.body.length;
    }
    const isFull = read.entries.length >= EVENTS_MAX || bytes >= BYTES_MAX;
    if (isFull || entry.sequence - position >= LOOKED_MAX) break;
  }
  return read;
}

function toPage({ feed }: FeedRow, { entries, sequence }: Read): integrations.FeedPage {
  return {
    events: entries.map((entry) => ({
      cursor: encodeCursor([feed, entry.sequence]),
      body: entry.body!,
    })),
    cursor: encodeCursor([feed, sequence]),
  };
}
