import { negate, type Units } from '@laurel/values/amount';
import type { TrailEvent } from '../trail-event';
import { categoryKey, eventKey, REFERRED } from './profile';

/** What a row of the trail tells a profile besides that it happened. */
export type Told = Pick<
  TrailEvent,
  | 'id'
  | 'event_category'
  | 'event_type'
  | 'event_timestamp'
  | 'amount'
  | 'points_delta'
  | 'metadata'
>;

/** What kind of thing a row says that happened. */
export type Kind = Pick<Told, 'event_category' | 'event_type'>;

const CUSTOM = eventKey('custom', '');

/** Whether a key is that of one kind of custom events, of which there are as many as callers name. */
export const isCustomKind = (key: string): boolean => key.startsWith(CUSTOM);

/** The kinds of events that a row counts as. */
export function keysOf({
  event_category: category,
  event_type: type,
  metadata,
}: Kind & Pick<Told, 'metadata'>): string[] {
  const keys = [categoryKey(category), eventKey(category, type)];
  const isReferrer = type === 'referral_completed' && metadata.role === 'referrer';
  return category === 'referral' && isReferrer ? [...keys, REFERRED] : keys;
}

/** What a purchase or refund adds to spending; null for anything else. */
export function spendingOf({
  event_category: category,
  event_type: type,
  amount,
}: Told): Units | null {
  if (category !== 'transaction' || amount === null) return null;
  return type === 'refund' ? negate(amount) : amount;
}

/**
 * What the row adds to points earned: an earn or positive adjust of the ledger, whose entries have the row's own
 * id. Points posted from outside move nothing and count for nothing.
 */
export function earningOf({
  id,
  event_type: type,
  metadata,
  points_delta: delta,
}: Told): Units | null {
  if (metadata.points_ledger_id !== id || delta === null || delta <= 0) return null;
  return type === 'points_earned' || type === 'points_adjusted' ? delta : null;
}
