import { toUnits, ZERO } from '@laurel/values/amount';
import fc from 'fast-check';
import { REASONS, type Reason } from '../refusals';
import {
  balanceAfter,
  canAfford,
  costOf,
  countsTowardsLimits,
  type Facts,
  lockForEverybody,
  lockOn,
  type Payment,
  reasonAgainst,
} from './availability';
import { newReward } from './reward';

const now = new Date('2026-05-04T10:00:00.000Z');
const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
const reward = {
  ...newReward(
    { id: 'reward', workspaceId: 'workspace' },
    { name: 'Free coffee', cost_in_points: toUnits(10), wallet_type_id: 'points' },
    now,
  ),
};
const good: Facts = {
  reward,
  now,
  payment: 'points',
  purchasableOnly: true,
  clientActive: true,
  tierId: null,
  inSegment: false,
  usedByClient: 0,
  purse: { active: toUnits(10), mayOverdraw: false },
  outOfCoupons: false,
};
const of = (changes: object): Partial<Facts> => ({ reward: { ...reward, ...changes } });

/** For each reason the facts that bring it about; merged, they bring about several at once. */
const causes: Record<Reason, Partial<Facts>> = {
  inactive: of({ active: false }),
  not_started: of({ availability_start: after }),
  ended: of({ availability_end: before }),
  not_purchasable: of({ purchasable: false }),
  tier_locked: of({ visibility_tiers: ['gold'] }),
  segment_locked: of({ visibility_segments: ['vips'] }),
  usage_limit_reached: of({ usage_limit: 3, used: 3 }),
  client_limit_reached: { ...of({ usage_limit_per_client: 1 }), usedByClient: 1 },
  wallet_type_inactive: { purse: null },
  insufficient_points: of({ cost_in_points: toUnits(10.0001) }),
  out_of_coupons: { outOfCoupons: true },
  client_not_active: { clientActive: false },
};
const order = Object.keys(REASONS) as Reason[];

function factsOf(reasons: readonly Reason[]): Facts {
  const facts = Object.assign({}, good, ...reasons.map((reason) => causes[reason])) as Facts;
  const changes = reasons.map((reason) => differing(causes[reason].reward));
  return { ...facts, reward: Object.assign({}, reward, ...changes) };
}

function differing(changed: Facts['reward'] | undefined): object {
  const entries = Object.entries(changed ?? {});
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== reward[name as keyof typeof reward]),
  );
}

test('nothing stands against it when everything is as it should be', () => {
  expect(reasonAgainst(good)).toBeNull();
});

test.each(order)('%s is found', (reason) => {
  expect(reasonAgainst(factsOf([reason]))).toBe(reason);
});

test('of several reasons the first is named: those of the reward, the client, points, coupons', () => {
  fc.assert(
    fc.property(fc.subarray(order, { minLength: 1 }), (reasons) => {
      expect(reasonAgainst(factsOf(reasons))).toBe(order.find((known) => reasons.includes(known)));
    }),
  );
});

test('the window includes its first and its last moment', () => {
  const atEdges = { ...good, ...of({ availability_start: now, availability_end: now }) };
  expect(reasonAgainst(atEdges)).toBeNull();
});

test('exactly the tiers that are named see it, and tier and segment must both be satisfied', () => {
  const locked = factsOf(['tier_locked', 'segment_locked']);
  expect(reasonAgainst({ ...locked, tierId: 'platinum' })).toBe('tier_locked');
  expect(reasonAgainst({ ...locked, tierId: 'gold' })).toBe('segment_locked');
  expect(reasonAgainst({ ...locked, tierId: 'gold', inSegment: true })).toBeNull();
});

test('skipping passes limits and cost, giving passes only the cost', () => {
  const full = factsOf(['usage_limit_reached', 'client_limit_reached', 'insufficient_points']);
  expect(reasonAgainst({ ...full, payment: 'skipped' })).toBeNull();
  expect(reasonAgainst({ ...full, payment: 'given' })).toBe('usage_limit_reached');
  const poor = factsOf(['insufficient_points']);
  expect(reasonAgainst({ ...poor, payment: 'given' })).toBeNull();
});

test('a reward without a wallet costs nothing, and a wallet that may be overdrawn affords anything', () => {
  expect(costOf({ ...reward, wallet_type_id: null }, 'points')).toBe(ZERO);
  expect(canAfford({ ...good, purse: { active: toUnits(-50), mayOverdraw: true } })).toBe(true);
});

test('points do not lock a reward, everything else does', () => {
  expect(lockOn(factsOf(['insufficient_points']))).toBeNull();
  expect(lockOn(factsOf(['insufficient_points', 'out_of_coupons']))).toBe('out_of_coupons');
  // No points are to be had of a kind that is switched off.
  const closed = factsOf(['wallet_type_inactive', 'insufficient_points']);
  expect(lockOn(closed)).toBe('wallet_type_inactive');
});

test('the balance afterwards is exact, and untouched when it is refused', () => {
  const purse = { active: toUnits(10.0001), mayOverdraw: false };
  expect(balanceAfter({ ...good, purse }, true)).toBe(toUnits(0.0001));
  expect(balanceAfter({ ...good, purse }, false)).toBe(toUnits(10.0001));
  expect(balanceAfter({ ...good, purse: null }, true)).toBeNull();
});

test('a reward that costs nothing asks for no wallet', () => {
  const free = { ...good, ...of({ cost_in_points: ZERO }), purse: null };
  expect(reasonAgainst(free)).toBeNull();
  expect(canAfford(free)).toBe(true);
  expect(canAfford({ ...good, purse: null })).toBe(false);
});

test('points to the last one are enough, and one unit less is not', () => {
  expect(canAfford(good)).toBe(true);
  expect(canAfford({ ...good, purse: { active: toUnits(9.9999), mayOverdraw: false } })).toBe(
    false,
  );
});

test.each<[Payment, number, boolean]>([
  ['points', 10, true],
  ['given', 0, true],
  ['skipped', 0, false],
])('paid by %s it costs %d points and counts towards the limits: %p', (payment, cost, counts) => {
  expect(costOf(reward, payment)).toBe(toUnits(cost));
  expect(countsTowardsLimits(payment)).toBe(counts);
});

test('a reward that is not for sale may still be given', () => {
  const hidden = { ...good, ...of({ purchasable: false }) };
  expect(reasonAgainst({ ...hidden, purchasableOnly: false })).toBeNull();
});

test('no client can have a reward whose limit is 0', () => {
  expect(reasonAgainst({ ...good, ...of({ usage_limit: 0 }) })).toBe('usage_limit_reached');
  const none = { ...good, ...of({ usage_limit_per_client: 0 }) };
  expect(reasonAgainst(none)).toBe('client_limit_reached');
});

test('redemptions and cancellations in any order never pass a limit, and none is refused below it', () => {
  const step = fc.record({
    client: fc.nat(2),
    payment: fc.constantFrom<Payment>('points', 'given', 'skipped'),
    cancels: fc.boolean(),
  });
  const limit = fc.option(fc.nat(4));
  fc.assert(
    fc.property(limit, limit, fc.array(step, { maxLength: 30 }), (all, each, steps) => {
      const uses: number[] = [];
      for (const { client, payment, cancels } of steps) {
        const own = uses.filter((user) => user === client).length;
        const changes = { usage_limit: all, usage_limit_per_client: each, used: uses.length };
        const facts = { ...good, ...of(changes), payment, usedByClient: own };
        const free =
          payment === 'skipped' || (uses.length < (all ?? Infinity) && own < (each ?? Infinity));
        expect(reasonAgainst(facts) === null).toBe(free);
        if (free && countsTowardsLimits(payment)) uses.push(client);
        if (cancels) uses.shift();
      }
    }),
  );
});

test('a reward that is off, or outside its time, is locked for every client', () => {
  const locked = (changes: object) => lockForEverybody({ ...reward, ...changes }, now);
  expect(locked({})).toBeNull();
  expect(locked({ active: false })).toBe('inactive');
  expect(locked({ availability_start: after })).toBe('not_started');
  expect(locked({ availability_end: before })).toBe('ended');
  expect(locked({ availability_start: now, availability_end: now })).toBeNull();
  expect(locked({ usage_limit: 0, required_tier_ids: ['gold'] })).toBeNull();
});
