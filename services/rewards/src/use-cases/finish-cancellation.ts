import { Refusal } from '@laurel/errors';
import { unitOfWork } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import { toDecimal, toUnits, unitsOf, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type Redemption, spendOperation } from '../domain/redemption';
import { refusals } from '../refusals';
import { redemptionEvent } from './redemption-events';
import { viewRedemptions } from './view-redemptions';
import { toCouponReply } from './wire';

type Refund = NonNullable<Redemption['refund']>;

/** Refunds a cancelled redemption and gives back what it held. Repeatable, by any number at once. */
export async function finishCancellation(
  deps: Deps,
  workspaceId: string,
  id: string,
): Promise<api.CancelledRedemption> {
  const redemption = await requireRedemption(deps, workspaceId, id);
  if (redemption.refund === null) {
    const refund = await refundOf(deps, redemption);
    await giveBack(deps, redemption, refund);
  }
  const ended = await requireRedemption(deps, workspaceId, id);
  const { coupon_id: couponId, refund } = ended;
  const coupon = couponId ? await deps.coupons.find(workspaceId, couponId) : null;
  return {
    redemption: (await viewRedemptions(deps, workspaceId, [ended]))[0]!,
    ...(coupon ? { coupon: toCouponReply(coupon) } : {}),
    refunded_points: toDecimal(unitsOf(refund?.points ?? 0)),
    points_ledger_id: refund?.entry_id ?? null,
  };
}

async function requireRedemption(
  { redemptions }: Deps,
  workspaceId: string,
  id: string,
): Promise<Redemption> {
  const redemption = await redemptions.find(workspaceId, id);
  if (!redemption) throw refusals.redemptionNotFound();
  return redemption;
}

/** Back to the lots it came from. A wallet that takes nothing any more does not keep a redemption alive. */
async function refundOf({ ledger, logger }: Deps, redemption: Redemption): Promise<Refund> {
  const { id, workspace_id, points_spent } = redemption;
  if (points_spent === 0) return { points: ZERO, entry_id: null };
  try {
    const { entry } = await ledger.RefundSpend({
      workspace_id,
      spend_operation_id: spendOperation(id),
      reason: 'the redemption was cancelled',
    });
    return entry
      ? { points: toUnits(Math.abs(entry.amount)), entry_id: entry.id }
      : { points: ZERO, entry_id: null };
  } catch (error) {
    if (!(error instanceof Refusal) || error.httpStatus >= 500) throw error;
    logger.warn(
      { err: error, redemption_id: id },
      'the points of a redemption stay where they are',
    );
    return { points: ZERO, entry_id: null };
  }
}

async function giveBack(deps: Deps, { id, workspace_id }: Redemption, refund: Refund) {
  await unitOfWork(deps.connection, async (session) => {
    const current = await deps.redemptions.find(workspace_id, id, session);
    if (!current) return;
    const { reward_id: rewardId, client_id: clientId, coupon_id: couponId } = current;
    if (!(await deps.redemptions.endCancellation(workspace_id, { id, refund }, session))) return;
    if (current.counted) {
      await deps.rewards.giveBack(workspace_id, rewardId, session);
      await deps.usages.giveBack(workspace_id, { rewardId, clientId }, session);
    }
    const coupon = couponId ? await deps.coupons.find(workspace_id, couponId, session) : null;
    if (couponId)
      await deps.coupons.release(workspace_id, { id: couponId, redemptionId: id }, session);
    const name = (await deps.rewards.find(workspace_id, rewardId, session))?.name ?? '';
    const told = { redemption: current, rewardName: name, couponCode: coupon?.code ?? null };
    await deps.outbox.append([redemptionEvent('rewards.reward_cancelled', told)], session);
  });
}
