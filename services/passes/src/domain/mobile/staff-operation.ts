import { type AppActionType, EVENT_AHEAD_DAYS_MAX } from '@laurel/contract';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** So long a device may take back what it did. */
export const UNDO_MS = 10 * MINUTE_MS;
/** So long after it happened a till that was offline may tell of it. */
export const OCCURRED_MS_MAX = 72 * HOUR_MS;
/** Clocks of phones are off by a little. */
const CLOCK_MS = 5 * MINUTE_MS;

/** What an action left behind in another service, and can be taken back there. */
export type Effect =
  | { type: 'entry'; id: string }
  | { type: 'redemption'; id: string }
  | { type: 'purchase'; id: string; amount: number; currency: string | null };

/** One thing that staff did on a pass. */
export interface StaffOperation {
  id: string;
  workspaceId: string;
  sessionId: string;
  mobileUserId: string | null;
  actionId: string;
  actionName: string;
  actionType: AppActionType;
  passId: string;
  clientId: string;
  /** Null where nothing of it can be taken back. */
  effect: Effect | null;
  /** The event of the trail that it became; null where it is none. */
  eventId: string | null;
  amount: number | null;
  walletTypeCode: string | null;
  currency: string | null;
  at: Date;
  occurredAt: Date | null;
  /** The operation of the call that took it back. */
  undoneBy: string | null;
  undoneAt: Date | null;
}

/** The reason that says nothing against what was taken back in time and is not noted as such. */
export const TOO_LATE = 'it is more than ten minutes ago';

/** Why a device may not take something back; null where it may. */
export function keptFrom(
  operation: Pick<StaffOperation, 'sessionId' | 'effect' | 'at' | 'undoneAt'>,
  sessionId: string,
  now: Date,
): string | null {
  if (operation.sessionId !== sessionId) return 'another device did this';
  if (operation.effect === null) return 'this cannot be taken back';
  if (operation.undoneAt) return 'this has been taken back already';
  if (now.getTime() - operation.at.getTime() > UNDO_MS) return TOO_LATE;
  return null;
}

/** What is wrong with the moment at which something is said to have happened; null where nothing is. */
export function complaintAboutMoment(
  occurredAt: Date,
  actionType: AppActionType,
  now: Date,
): string | null {
  if (actionType !== 'add_transaction' && actionType !== 'add_points')
    return 'only purchases, refunds and added points may be told of later';
  const agoMs = now.getTime() - occurredAt.getTime();
  if (agoMs > OCCURRED_MS_MAX) return 'must be at most 72 hours ago';
  return agoMs < -CLOCK_MS ? 'must not be in the future' : null;
}

/** Whether a purchase is dated further ahead than any other event may be. */
export const isTooFarAhead = (date: Date, now: Date): boolean =>
  date.getTime() - now.getTime() > EVENT_AHEAD_DAYS_MAX * DAY_MS;
