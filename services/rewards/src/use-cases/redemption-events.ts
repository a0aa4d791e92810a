import { type CloudEvent, createEvent, type RedemptionChanged } from '@laurel/events';
import { toDecimal, unitsOf } from '@laurel/values/amount';
import { type Attempt, notificationDue, type Redemption } from '../domain/redemption';

/** A redemption, and what events tell beside it. */
interface Told {
  redemption: Redemption;
  rewardName: string;
  couponCode: string | null;
}

/** The events of a fulfilment: reward_redeemed, and the push where one is due. */
export function redeemedEvents(
  { reward, send_notification }: Attempt,
  redemption: Redemption,
  couponCode: string | null,
): CloudEvent[] {
  const { workspace_id: workspaceId, client_id: subject } = redemption;
  const told = { redemption, rewardName: reward.name, couponCode };
  const redeemed = redemptionEvent('rewards.reward_redeemed', told);
  const body = notificationDue(reward.notification_config, send_notification);
  if (body === null) return [redeemed];
  const requested = createEvent('rewards.notification_requested', {
    workspaceId,
    subject,
    data: {
      client_id: subject,
      reward_id: redemption.reward_id,
      redemption_id: redemption.id,
      body,
      tokens: {
        reward_name: reward.name,
        coupon_code: couponCode,
        points_spent: toDecimal(unitsOf(redemption.points_spent)),
      },
    },
  });
  return [redeemed, requested];
}

/** What became of a redemption. */
export function redemptionEvent(
  type: 'rewards.reward_redeemed' | 'rewards.reward_used' | 'rewards.reward_cancelled',
  told: Told,
): CloudEvent {
  const { workspace_id: workspaceId, client_id: subject } = told.redemption;
  return createEvent(type, { workspaceId, subject, data: changeOf(told) });
}

/** A redemption is not used any more. */
export function useTakenBack({ id, ...redemption }: Redemption): CloudEvent {
  const { workspace_id: workspaceId, client_id, reward_id } = redemption;
  const data = { client_id, reward_id, redemption_id: id };
  return createEvent('rewards.use_taken_back', { workspaceId, subject: client_id, data });
}

function changeOf({ redemption, rewardName, couponCode }: Told): RedemptionChanged {
  return {
    client_id: redemption.client_id,
    reward_id: redemption.reward_id,
    reward_name: rewardName,
    redemption: {
      id: redemption.id,
      reward_id: redemption.reward_id,
      client_id: redemption.client_id,
      workspace_id: redemption.workspace_id,
      points_spent: toDecimal(unitsOf(redemption.points_spent)),
      points_ledger_id: redemption.points_ledger_id,
      coupon_id: redemption.coupon_id,
      coupon_code: couponCode,
      status: redemption.status,
      redemption_date: redemption.redemption_date.toISOString(),
      source: redemption.source,
      metadata: redemption.metadata,
      used_at: redemption.used_at?.toISOString() ?? null,
    },
  };
}
