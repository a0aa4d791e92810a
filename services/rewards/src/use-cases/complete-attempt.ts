import { newId } from '@laurel/lifecycle';
import { isDuplicateKey, type Session, unitOfWork } from '@laurel/mongo';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { countsTowardsLimits } from '../domain/availability';
import type { Coupon } from '../domain/coupon';
import { codeKey, drawCode } from '../domain/pattern';
import type { Attempt, Redemption } from '../domain/redemption';
import { refusals } from '../refusals';
import { presentCoupon, presentRedemption } from '../store/mapping';
import { usages } from '../store/usages';
import { redeemedEvents } from './redemption-events';
import { settleAttempt } from './settle-attempt';

/** Somebody else moved the attempt on: it was taken for abandoned. */
export class LostAttempt extends Error {
  override readonly name = 'LostAttempt';
}

/** Codes tried before a pattern counts as used up. */
const DRAWS_MAX = 16;
/** The first draw that asks which codes are free. */
const LOOK_FIRST = 2;
const CODES_PER_DRAW = 32;

/**
 * Gives a paid attempt its coupon and makes it a redemption, in one unit of work with its events.
 * Throws the refusal out_of_coupons, or LostAttempt.
 */
export async function completeAttempt(
  deps: Deps,
  attempt: Attempt,
  operationKey: string,
): Promise<api.Redeemed> {
  for (let firstDraw = 1; ; firstDraw = LOOK_FIRST) {
    const coupon = await chooseCoupon(deps, attempt, firstDraw);
    try {
      const redemption = await fulfil(deps, attempt, operationKey, coupon);
      await settleAttempt(deps, attempt, redemption.client_id).catch((error: unknown) =>
        deps.logger.warn({ err: error, redemption_id: attempt.id }, 'marks wait to be settled'),
      );
      const given = coupon && issued(coupon, attempt.id);
      return {
        redemption: presentRedemption(redemption, given, attempt.reward.name),
        ...(given ? { coupon: presentCoupon(given) } : {}),
        points_ledger_id: redemption.points_ledger_id,
      };
    } catch (error) {
      // Another redemption got the same code at this moment. It says nothing of how many are left, so no draw is used up.
      if (!isDuplicateKey(error, 'code_key')) throw error;
    }
  }
}

/** Imported codes go first, then the pattern; null when the reward gives none. */
async function chooseCoupon(
  deps: Deps,
  attempt: Attempt,
  firstDraw: number,
): Promise<Coupon | null> {
  const { id, workspace_id: workspaceId, reward_id: rewardId } = attempt;
  const { code_pattern: pattern, coupons_imported: isImported } = attempt.reward;
  if (isImported) {
    const claimed = await deps.coupons.claim(workspaceId, rewardId, id);
    if (claimed) return claimed;
  }
  if (pattern !== null) return generateCoupon(deps, attempt, pattern, firstDraw);
  if (isImported) throw refusals.notToBeHad('out_of_coupons');
  return null;
}

async function generateCoupon(
  deps: Deps,
  attempt: Attempt,
  pattern: string,
  firstDraw: number,
): Promise<Coupon> {
  const { workspace_id, reward_id } = attempt;
  for (let draw = firstDraw; draw <= DRAWS_MAX; draw += 1) {
    const code = await drawFreeCode(deps, workspace_id, pattern, draw);
    if (code === null) continue;
    return {
      id: newId(),
      workspace_id,
      reward_id,
      code,
      status: 'available',
      redemption_id: null,
      released_by: null,
      imported: false,
      used_at: null,
      date_created: deps.clock.now(),
    };
  }
  throw refusals.notToBeHad('out_of_coupons');
}

/** The first draw is nearly always free, so that the unique index alone judges it. */
async function drawFreeCode(
  { coupons, pickNumber }: Deps,
  workspaceId: string,
  pattern: string,
  draw: number,
): Promise<string | null> {
  if (draw < LOOK_FIRST) return drawCode(pattern, pickNumber);
  const codes = Array.from({ length: CODES_PER_DRAW }, () => drawCode(pattern, pickNumber));
  const taken = await coupons.takenKeys(workspaceId, codes);
  return codes.find((code) => !taken.has(codeKey(code))) ?? null;
}

function issued(coupon: Coupon, redemptionId: string): Coupon {
  return { ...coupon, status: 'issued', redemption_id: redemptionId };
}

async function fulfil(
  deps: Deps,
  attempt: Attempt,
  operationKey: string,
  coupon: Coupon | null,
): Promise<Redemption> {
  const { id, workspace_id: workspaceId } = attempt;
  const { clientId } = await deps.departures.currentOf(workspaceId, attempt.client_id);
  const merge = { workspaceId, source: attempt.client_id, target: clientId };
  const redemption = toRedemption(deps, attempt, clientId, coupon);
  const dueAt = new Date(deps.clock.now().getTime() + deps.abandonedMs);
  await unitOfWork(deps.connection, async (session) => {
    const progress = { to: 'settling' as const, dueAt };
    if (!(await deps.attempts.advance(workspaceId, id, 'coupon', progress, session)))
      throw new LostAttempt();
    if (coupon) await issue(deps, coupon, id, session);
    await deps.redemptions.insert(redemption, operationKey, session);
    if (merge.source !== merge.target) await usages.mergePerson(deps.connection, merge, session);
    await deps.outbox.append(redeemedEvents(attempt, redemption, coupon?.code ?? null), session);
  });
  return redemption;
}

async function issue(
  { coupons }: Deps,
  coupon: Coupon,
  redemptionId: string,
  session: Session,
): Promise<void> {
  if (!coupon.imported) return coupons.insert(issued(coupon, redemptionId), session);
  const { workspace_id, id } = coupon;
  if (!(await coupons.issueClaimed(workspace_id, id, redemptionId, session)))
    throw new LostAttempt();
}

function toRedemption(
  { clock }: Deps,
  attempt: Attempt,
  clientId: string,
  coupon: Coupon | null,
): Redemption {
  return {
    id: attempt.id,
    workspace_id: attempt.workspace_id,
    reward_id: attempt.reward_id,
    client_id: clientId,
    points_spent: attempt.cost,
    points_ledger_id: attempt.points_ledger_id,
    wallet_type_id: attempt.points_ledger_id === null ? null : attempt.reward.wallet_type_id,
    coupon_id: coupon?.id ?? null,
    status: 'fulfilled',
    redemption_date: clock.now(),
    source: attempt.source,
    metadata: attempt.metadata,
    used_at: null,
    cancelled_at: null,
    counted: countsTowardsLimits(attempt.payment),
    refund: null,
  };
}
