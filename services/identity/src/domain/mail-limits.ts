const HOUR_MS = 60 * 60_000;

/** So many within a window that moves along. */
export interface MailLimit {
  max: number;
  windowMs: number;
}

/** Mails of one kind to one address; invitations from everywhere together: workspaces cost nothing (part 4, section 1). */
export const TO_ONE_ADDRESS: MailLimit = { max: 5, windowMs: HOUR_MS };
/**
 * Links for a reset, and sign-in codes of all portals, that go to one address because of sources that it was never
 * signed in from, all together: many sources flood no mailbox.
 */
export const BY_STRANGERS: MailLimit = { max: 20, windowMs: HOUR_MS };
/** Pairing codes to one address or phone out of all workspaces together. */
export const PAIRING_CODES_TO_ONE_CONTACT: MailLimit = { max: 20, windowMs: HOUR_MS };
/** Invitations out of one workspace (part 4, section 1). */
export const INVITATIONS_OF_A_WORKSPACE: MailLimit = { max: 100, windowMs: 24 * HOUR_MS };

/**
 * The times of what was sent within the window before `now`, with `now` added; or, when there were
 * `max` already, the seconds until another may be sent.
 */
export function countMail(
  madeAt: readonly Date[],
  { max, windowMs }: MailLimit,
  now: Date,
): { madeAt: Date[] } | { retryAfterSeconds: number } {
  const recent = madeAt.filter((at) => now.getTime() - at.getTime() < windowMs);
  const oldest = recent[recent.length - max];
  if (oldest === undefined) return { madeAt: [...recent, now] };
  return { retryAfterSeconds: Math.ceil((oldest.getTime() + windowMs - now.getTime()) / 1_000) };
}
