import { toDecimal } from '@laurel/values/amount';
import { spendOperation } from '../domain/redemption';
import type {
  AttemptDocument,
  CouponDocument,
  RedemptionDocument,
  RewardDocument,
} from '../store/mapping';
import type { Harness } from './harness';

/**
 * Everything that is wrong with what the store and the ledger hold, in words; nothing when the
 * invariants R1 to R4 hold. With `isAtRest`, also what is left over once nothing is on its way.
 */
export async function broken(harness: Harness, { isAtRest = true } = {}): Promise<string[]> {
  const [redemptions, coupons, rewards, attempts] = await Promise.all([
    harness.rows<RedemptionDocument>('redemptions'),
    harness.rows<CouponDocument>('coupons'),
    harness.rows<RewardDocument>('rewards'),
    harness.rows<AttemptDocument>('attempts'),
  ]);
  return [
    ...brokenSpends(harness, redemptions, attempts),
    ...(await brokenCounts(harness, redemptions, rewards)),
    ...brokenCoupons(redemptions, coupons),
    ...(isAtRest ? leftovers(attempts, rewards, coupons) : []),
  ];
}

/** R1 and R2. */
function brokenSpends(
  { ledger }: Harness,
  redemptions: RedemptionDocument[],
  attempts: AttemptDocument[],
): string[] {
  const found: string[] = [];
  const net = new Map<string, number>();
  for (const entry of ledger.entries) {
    const id = entry.operation.replace('refund of ', '').replace(spendOperation(''), '');
    net.set(id, (net.get(id) ?? 0) + entry.amount);
  }
  for (const { _id, status, points_spent } of redemptions) {
    const due = status === 'cancelled' ? 0 : -toDecimal(points_spent);
    if ((net.get(_id) ?? 0) !== due) found.push(`R1/R2: ${_id} is ${status}, net ${net.get(_id)}`);
    net.delete(_id);
  }
  const onTheirWay = new Set(attempts.map(({ _id }) => _id));
  for (const [id, sum] of net)
    if (sum !== 0 && !onTheirWay.has(id)) found.push(`R2: ${id} was paid without a redemption`);
  return found;
}

/** R3, and that the counters say what the redemptions say. */
async function brokenCounts(
  harness: Harness,
  redemptions: RedemptionDocument[],
  rewards: RewardDocument[],
): Promise<string[]> {
  const found: string[] = [];
  const usages = await harness.rows<{
    reward_id: string;
    client_id: string;
    used: number;
    marks: string[];
  }>('usages');
  const live = redemptions.filter(({ counted, status }) => counted && status !== 'cancelled');
  for (const { _id, used, usage_limit, usage_limit_per_client, marks } of rewards) {
    const mine = live.filter(({ reward_id }) => reward_id === _id);
    if (usage_limit !== null && mine.length > usage_limit)
      found.push(`R3: ${mine.length} redemptions on a limit of ${usage_limit}`);
    if (used - marks.length > mine.length || used < mine.length)
      found.push(`R3: ${used} counted, ${mine.length} there, ${marks.length} on their way`);
    for (const usage of usages.filter(({ reward_id }) => reward_id === _id)) {
      const own = mine.filter(({ client_id }) => client_id === usage.client_id).length;
      if (usage_limit_per_client !== null && own > usage_limit_per_client)
        found.push(`R3: ${own} of one client on a limit of ${usage_limit_per_client}`);
      if (usage.used - usage.marks.length > own || usage.used < own)
        found.push(`R3: ${usage.used} counted for a client, ${own} there`);
    }
  }
  return found;
}

/** R4. */
function brokenCoupons(redemptions: RedemptionDocument[], coupons: CouponDocument[]): string[] {
  const found: string[] = [];
  if (new Set(coupons.map(({ code_key }) => code_key)).size !== coupons.length)
    found.push('R4: a code is there twice');
  for (const { _id, code, status, redemption_id, used_at } of coupons) {
    const live = redemptions.filter((r) => r.coupon_id === _id && r.status !== 'cancelled');
    if (live.length > 1) found.push(`R4: ${code} belongs to ${live.length} redemptions`);
    if (status === 'available' && live.length > 0) found.push(`R4: ${code} is free and taken`);
    if (status !== 'available' && live[0]?._id !== redemption_id)
      found.push(`R4: ${code} is ${status} for a redemption that does not have it`);
    if ((status === 'used') !== (used_at !== null)) found.push(`R4: ${code} is ${status}`);
  }
  for (const { _id, coupon_id, status } of redemptions)
    if (status !== 'cancelled' && coupon_id && !coupons.some((coupon) => coupon._id === coupon_id))
      found.push(`R4: ${_id} has a coupon that is not there`);
  return found;
}

function leftovers(
  attempts: AttemptDocument[],
  rewards: RewardDocument[],
  coupons: CouponDocument[],
): string[] {
  return [
    ...attempts.flatMap(({ _id, state }) => (state === 'failed' ? [] : [`${_id} is ${state}`])),
    ...rewards.flatMap(({ marks }) => marks.map((mark) => `${mark} is still marked`)),
    ...coupons.flatMap(({ code, claimed_by }) => (claimed_by ? [`${code} is still claimed`] : [])),
  ];
}
