const DAY_MS = 86_400_000;
/** These hold nothing about the person but that they are gone. */
export const TELLS_ERASURE: ReadonlySet<string> = new Set(['client.anonymized', 'client.deleted']);
/** What is on its way to receivers when a person is erased has this long to arrive. */
const ERASED_KEPT_MS = 60 * 60_000;

/** Until when events about somebody who was erased are kept. */
export const erasedUntil = (now: Date): Date => new Date(now.getTime() + ERASED_KEPT_MS);

/** The same of what is kept until a certain time. */
export const endsErased = (until: Date, now: Date): Date =>
  new Date(Math.min(until.getTime(), erasedUntil(now).getTime()));

/** Until when what happened is kept, where it is kept for so many days. */
export const keptUntil = (now: Date, retentionDays: number): Date =>
  new Date(now.getTime() + retentionDays * DAY_MS);
