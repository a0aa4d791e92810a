import { newId } from '@laurel/lifecycle';
import { isDuplicateKey, type Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Coupon } from '../domain/coupon';
import { codeKey, drawCode } from '../domain/pattern';
import type { Attempt } from '../domain/redemption';
import { refusals } from '../refusals';

/** Codes tried before a pattern counts as used up. */
const DRAWS_MAX = 16;
/** The first draw that asks which codes are free. */
const LOOK_FIRST = 2;
const CODES_PER_DRAW = 32;

/** What an attempt takes its coupon by. */
type Taker = Pick<Attempt, 'id' | 'workspace_id' | 'reward_id' | 'reward'>;

/**
 * Where a redemption gets its coupon: an imported code first, then one of the reward's pattern, null where the reward
 * gives none. `write` makes it durable, and is called again with another code where somebody else got the first one at
 * that moment. Throws the refusal out_of_coupons.
 */
export async function assignCoupon<T>(
  deps: Deps,
  attempt: Taker,
  write: (coupon: Coupon | null) => Promise<T>,
): Promise<T> {
  for (let firstDraw = 1; ; firstDraw = LOOK_FIRST) {
    const coupon = await chooseCoupon(deps, attempt, firstDraw);
    try {
      return await write(coupon);
    } catch (error) {
      // It says nothing of how many codes are left, so no draw is used up.
      if (!isDuplicateKey(error, 'code_key')) throw error;
    }
  }
}

/**
 * Whether assigning a coupon would find one, or the reward gives none; takes none.
 *
 * @param gone codes that somebody is thought to have taken before
 */
export async function hasCoupon(deps: Deps, attempt: Taker, gone = 0): Promise<boolean> {
  const { workspace_id: workspaceId, reward_id: rewardId } = attempt;
  const { code_pattern: pattern, coupons_imported: isImported } = attempt.reward;
  if (isImported && (await deps.coupons.hasFree(workspaceId, rewardId, gone))) return true;
  if (pattern === null) return !isImported;
  return (await generateCoupon(deps, attempt, { pattern, firstDraw: LOOK_FIRST })) !== null;
}

/** The coupon as the redemption holds it. */
export const issuedTo = (redemptionId: string, coupon: Coupon): Coupon => ({
  ...coupon,
  status: 'issued',
  redemption_id: redemptionId,
});

/** A coupon, and the redemption that it is for. */
export interface Assignment {
  coupon: Coupon;
  redemptionId: string;
}

/**
 * Hands coupons to their redemptions in the unit of work that writes those; false where a claim is gone, because the
 * attempt was taken for abandoned. Fails as a duplicate key where somebody else got a drawn code.
 */
export async function issueCoupons(
  { coupons }: Pick<Deps, 'coupons'>,
  assignments: readonly Assignment[],
  session: Session,
): Promise<boolean> {
  for (const { coupon, redemptionId } of assignments.filter((one) => one.coupon.imported)) {
    const { id, workspace_id: workspaceId } = coupon;
    if (!(await coupons.issueClaimed(workspaceId, { id, redemptionId }, session))) return false;
  }
  const drawn = assignments.filter((one) => !one.coupon.imported);
  await coupons.insertAll(
    drawn.map(({ coupon, redemptionId }) => issuedTo(redemptionId, coupon)),
    session,
  );
  return true;
}

async function chooseCoupon(deps: Deps, attempt: Taker, firstDraw: number): Promise<Coupon | null> {
  const { id, workspace_id: workspaceId, reward_id: rewardId } = attempt;
  const { code_pattern: pattern, coupons_imported: isImported } = attempt.reward;
  if (isImported) {
    const claimed = await deps.coupons.claim(workspaceId, rewardId, id);
    if (claimed) return claimed;
  }
  if (pattern === null && !isImported) return null;
  const drawn =
    pattern === null ? null : await generateCoupon(deps, attempt, { pattern, firstDraw });
  if (!drawn) throw refusals.out_of_coupons();
  return drawn;
}

/** null where the pattern is used up. */
async function generateCoupon(
  deps: Deps,
  attempt: Taker,
  { pattern, firstDraw }: { pattern: string; firstDraw: number },
): Promise<Coupon | null> {
  const { workspace_id, reward_id } = attempt;
  for (let draw = firstDraw; draw <= DRAWS_MAX; draw += 1) {
    const code = await drawFreeCode(deps, workspace_id, { pattern, draw });
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
  return null;
}

/** The first draw is nearly always free, so that the unique index alone judges it. */
async function drawFreeCode(
  { coupons, pickNumber }: Deps,
  workspaceId: string,
  { pattern, draw }: { pattern: string; draw: number },
): Promise<string | null> {
  if (draw < LOOK_FIRST) return drawCode(pattern, pickNumber);
  const codes = Array.from({ length: CODES_PER_DRAW }, () => drawCode(pattern, pickNumber));
  const taken = await coupons.takenKeys(workspaceId, codes);
  return codes.find((code) => !taken.has(codeKey(code))) ?? null;
}
