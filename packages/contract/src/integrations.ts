/** How far an import is, of clients or of sales. */
export const IMPORT_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Statuses of what a sender posted to an inbox. */
export const INBOX_MESSAGE_STATUSES = ['pending', 'leased', 'processed', 'failed'] as const;
export type InboxMessageStatus = (typeof INBOX_MESSAGE_STATUSES)[number];

/** recorded: an event was made; duplicate: it was there already; ignored: none of ours. */
export const INBOX_OUTCOMES = ['recorded', 'duplicate', 'ignored'] as const;
export type InboxOutcome = (typeof INBOX_OUTCOMES)[number];

/** How far an outside system has heard of a client. */
export const OUTBOUND_JOB_STATUSES = ['pending', 'done', 'failed'] as const;
export type OutboundJobStatus = (typeof OUTBOUND_JOB_STATUSES)[number];
