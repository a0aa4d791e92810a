import type { Json } from '@laurel/errors';
import { withoutMissingKey } from '@laurel/mongo';
import { unitsOf } from '@laurel/values/amount';
import type { Coupon } from '../domain/coupon';
import type { Attempt, Redemption } from '../domain/redemption';
import type { Reward } from '../domain/reward';

export interface RewardDocument extends Omit<Reward, 'id'> {
  _id: string;
  /** Redemption ids on their way that `used` already counts. */
  marks: string[];
  /** Grows with every reservation, so that deleting can tell that there was one. */
  reservations: number;
  /** Grows with every import of codes, so that one beside the deletion of its reward is noticed. */
  imports?: number;
}

export function toRewardDocument({ id, ...columns }: Reward): RewardDocument {
  return { ...withoutMissingKey({ _id: id, ...columns }), marks: [], reservations: 0 };
}

export function toReward(
  document: Omit<RewardDocument, 'marks' | 'reservations' | 'imports'>,
): Reward {
  const { _id, ...columns } = document;
  return { ...columns, id: _id };
}

export interface RedemptionDocument extends Omit<Redemption, 'id' | 'wallet_type_id'> {
  _id: string;
  wallet_type_id?: string | null;
  operation_key: string;
  /** Stands for what was asked under the caller's Idempotency-Key, where there was one. */
  fingerprint?: string;
  /** There while a cancellation is on its way: after this moment anybody may take it over. */
  due_at?: Date;
  lease?: string;
  cancel_operation?: string;
  /** What marked it used last, or took that back. */
  used_operation?: string;
}

export function toRedemption(document: RedemptionDocument): Redemption {
  const {
    _id,
    operation_key: _operation,
    fingerprint: _asked,
    due_at: _due,
    lease: _lease,
    cancel_operation: _cancel,
    used_operation: _use,
    wallet_type_id = null,
    ...columns
  } = document;
  return { ...columns, wallet_type_id, id: _id, points_spent: unitsOf(columns.points_spent) };
}

export interface CouponDocument extends Omit<Coupon, 'id'> {
  _id: string;
  code_key: string;
  /** A redemption on its way that will have it; null when there is none. */
  claimed_by: string | null;
}

export function toCoupon(document: CouponDocument): Coupon {
  const { _id, code_key: _key, claimed_by: _claim, ...columns } = document;
  return { ...columns, id: _id };
}

export interface AttemptDocument extends Omit<Attempt, 'id'> {
  _id: string;
  /** Absent once the attempt failed, so that the same operation may try again. */
  operation_key?: string;
  /** After this moment the process that worked on it is taken for dead. */
  due_at: Date;
  lease?: string;
  /** Whose work it is: events made by the sweeper must name the same cause and chain. */
  context: Json;
}

export function toAttempt(document: AttemptDocument): Attempt {
  const {
    _id,
    operation_key: _key,
    due_at: _due,
    lease: _lease,
    context: _context,
    ...columns
  } = document;
  return { ...columns, id: _id };
}
