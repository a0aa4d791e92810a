/** A text that phones are to show, or have shown. */
export interface PushText {
  text: string;
  /** The how-manieth text of its pass it is, from 1. */
  count: number;
  /** What tells it from the same text of before (`notification_repeat`). */
  repeat: number;
}

/** What a pass keeps of the texts that were sent to it (docs/adr/0047). */
export interface PushTexts {
  /** The last text that was sent. */
  notification: string | null;
  /** How many texts were sent; and how many changed another, from 0: a text that comes again is not the one of then. */
  notification_count: number;
  notification_repeat: number;
  /**
   * Texts of before the last one that a wallet may not have heard yet, the oldest first; null where they are not known, on
   * passes older than this.
   */
  notification_queue: readonly PushText[] | null;
  /** The text that phones are shown, by its count; null: the last one. */
  notification_shown: number | null;
}

/** Up to which of the texts of a pass each wallet has heard, by their counts. */
export interface HeardTexts {
  apple: number;
  google: number;
}

type Kept = Pick<PushTexts, 'notification'> & Partial<PushTexts>;

/** How many marks a release before this one drew at most, that it drew anew with what it counted modulo this. */
const FORMER_MARKS = 8;

/** Of more texts than these none would be read one after the other: the oldest that waits is left out. */
const QUEUE_MAX = 10;

/** A pass without a text: what waits goes with the last one. */
export const NO_TEXTS = {
  notification: null,
  notification_queue: [],
  notification_shown: null,
} as const satisfies Partial<PushTexts>;

/**
 * What waits before the last text. A replica of the release before takes texts away, or sends one, and leaves the queue as it
 * was: what is in it then is not of this text, nor perhaps of this client.
 */
function queueOf({ notification, notification_count: count = 0, notification_queue: queue }: Kept) {
  const isOfThis = Boolean(notification) && queue?.at(-1)?.count === count - 1;
  return isOfThis ? queue! : [];
}

/** The texts that a wallet may not have heard yet, and the last one, in the order in which they were sent. */
export function textsOf(kept: Kept): PushText[] {
  const { notification, notification_count: count = 0, notification_repeat: given = 0 } = kept;
  if (!notification) return [];
  // A pass from before the queue: drawn otherwise, its text would be another one for phones, and shown unsent.
  const repeat = kept.notification_queue === null ? given % FORMER_MARKS : given;
  return [...queueOf(kept), { text: notification, count, repeat }];
}

/** What phones are to show now; null for no text. */
export function shownText(kept: Kept): PushText | null {
  const texts = textsOf(kept);
  const { notification_shown: shown = null } = kept;
  const found = shown === null ? undefined : texts.find(({ count }) => count >= shown);
  return found ?? texts.at(-1) ?? null;
}

/**
 * A text is sent. What phones are shown stays, also where they have heard it: one that was pushed to a moment ago has yet to
 * fetch it, and the next push goes on to the next text (`nextTexts`).
 */
export function withText(kept: PushTexts, text: string): PushTexts {
  const before = kept.notification_queue === null ? [] : textsOf(kept);
  const shown = before.length === 0 ? null : shownText(kept)!.count;
  const isFirst = kept.notification_count === 0 && !kept.notification;
  return {
    notification: text,
    notification_count: kept.notification_count + 1,
    notification_repeat: isFirst ? 0 : kept.notification_repeat + 1,
    notification_queue: withinBound(before, shown),
    notification_shown: shown,
  };
}

function withinBound(queue: readonly PushText[], shown: number | null): readonly PushText[] {
  if (queue.length <= QUEUE_MAX) return queue;
  const oldest = queue.find(({ count }) => count !== shown);
  return queue.filter((each) => each !== oldest);
}

/**
 * What is kept from the next push on: phones are shown the first text that they have not heard, else the last one, and what
 * both wallets have heard goes. Null where that changes nothing.
 */
export function nextTexts(
  kept: PushTexts,
  heard: HeardTexts,
): Pick<PushTexts, 'notification_queue' | 'notification_shown'> | null {
  const queue = queueOf(kept);
  if ((kept.notification_queue ?? []).length === 0) return null;
  const next = queue.find(({ count }) => count > heard.apple);
  const shown = next?.count ?? null;
  const left = queue.filter(
    ({ count }) => count > heard.google || (shown !== null && count >= shown),
  );
  const isSame = left.length === kept.notification_queue!.length;
  if (isSame && shown === kept.notification_shown) return null;
  return { notification_queue: left, notification_shown: shown };
}
