import type { RedemptionSource, RedemptionStatus } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import type { Units } from '@laurel/values/amount';
import type { Payment } from './availability';
import type { NotificationConfig, Reward } from './reward';

/** A redemption that everybody may see: points, counters and coupon are settled. */
export interface Redemption {
  id: string;
  workspace_id: string;
  reward_id: string;
  client_id: string;
  points_spent: Units;
  points_ledger_id: string | null;
  /** What paid for it; null where it cost nothing, and where it was made before this was kept. */
  wallet_type_id: string | null;
  coupon_id: string | null;
  status: RedemptionStatus;
  redemption_date: Date;
  source: RedemptionSource;
  metadata: JsonObject;
  used_at: Date | null;
  cancelled_at: Date | null;
  /** False when it was made beyond all limits, so that cancelling gives no use back. */
  counted: boolean;
  /** Set by a cancellation, once its refund is known. */
  refund: { points: Units; entry_id: string | null } | null;
}

/**
 * A redemption on its way, invisible to all but this service:
 *
 *     open -> settling -> (gone: the redemption is there)
 *       \
 *        +---> compensating -> failed -> (gone, without a trace)
 *
 * Whatever is found abandoned before its redemption is there is undone: its caller had no answer, and may have tried
 * again. `failed` lingers to undo once more what arrived late. Attempts of earlier versions may stand at `reserving`,
 * `spending` or `coupon`, which are to be undone, too.
 */
export type AttemptState = 'open' | 'settling' | 'compensating' | 'failed';

export interface Attempt {
  /** The id that the redemption will have. */
  id: string;
  workspace_id: string;
  reward_id: string;
  client_id: string;
  state: AttemptState;
  payment: Payment;
  cost: Units;
  source: RedemptionSource;
  metadata: JsonObject;
  send_notification: boolean;
  /** The reward as it was when the redemption was decided. */
  reward: Pick<
    Reward,
    | 'name'
    | 'revision'
    | 'wallet_type_id'
    | 'code_pattern'
    | 'coupons_imported'
    | 'usage_limit'
    | 'usage_limit_per_client'
    | 'notification_config'
  >;
  started_at: Date;
}

export type Recovery = 'undo' | 'settle' | 'look again';

/** What the finder of an abandoned attempt has to do with it. */
export function recoveryOf(state: string): Recovery {
  if (state === 'settling') return 'settle';
  return state === 'failed' ? 'look again' : 'undo';
}

/** Names of the ledger operations of a redemption: the same on every retry (R1, R2). */
export const spendOperation = (redemptionId: string): string => `redemption:${redemptionId}`;

/** The push due on fulfilment, or null. */
export function notificationDue(
  config: NotificationConfig | null,
  sendNotification: boolean,
): string | null {
  if (!sendNotification || !config?.send_on_redemption) return null;
  return config.body.trim() === '' ? null : config.body;
}
