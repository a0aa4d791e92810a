import { newId } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import { answerOrRefusal, propertySettings } from '@laurel/testing';
import fc from 'fast-check';
import { type Reason, refusals } from '../refusals';
import { Harness } from '../testing/harness';
import { broken } from '../testing/invariants';
import { giveReward } from './give-reward';
import { importCoupons } from './import-coupons';
import { previewRedemption } from './preview-redemption';
import { quoteGift } from './quote-gift';
import { quoteRedemption } from './quote-redemption';
import { redeemReward } from './redeem-reward';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => {
  expect(await broken(harness)).toEqual([]);
});
afterAll(() => harness.close());

/** As a caller hears it: the figure, or the refusal. */
const told = (work: () => Promise<number>) => answerOrRefusal(() => harness.asCaller(work));

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const limit = maybe(fc.integer({ min: 1, max: 2 }));
const days = fc.constantFrom([], [], [-1], [-1, 1], [1, 2], [-2, -1]);
const offers = fc.record({
  active: fc.constantFrom(true, true, true, false),
  purchasable: fc.constantFrom(true, true, false),
  cost: fc.integer({ min: 0, max: 3 }),
  isPriced: fc.boolean(),
  usage: limit,
  perClient: limit,
  days,
  pattern: fc.constantFrom(undefined, undefined, '{RAND:6}'),
  codes: maybe(fc.integer({ min: 1, max: 2 })),
  tier: fc.constantFrom(undefined, undefined, 'own', 'other'),
  segment: fc.constantFrom(undefined, undefined, 'own', 'other'),
});
const people = fc.record({
  points: fc.integer({ min: 0, max: 8 }),
  status: fc.constantFrom('active', 'active', 'active', 'inactive', 'unknown'),
});
const wishes = fc.array(
  fc.record({ who: fc.nat({ max: 1 }), isGift: fc.boolean(), onlyPurchasable: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

/** What a dry run says, put as redeeming says it. */
async function dryRunOf(request: api.RedeemRewardRequest): Promise<number> {
  const { reason, points_cost } = await previewRedemption(harness.deps, request);
  if (reason !== null) throw refusals[reason as Reason]();
  return points_cost;
}

test('what a quote or a dry run says of a reward is what redeeming or giving it then comes to', async () => {
  await fc.assert(
    fc.asyncProperty(
      offers,
      fc.tuple(people, people),
      wishes,
      async (offer, [first, second], asked) => {
        const [own, other] = [newId(), newId()];
        const ofTwo = (which: string) => [which === 'own' ? own : other];
        for (const known of [harness.knownTiers, harness.knownSegments]) known.add(own).add(other);
        const clients = [first, second].map(({ points, status }) => {
          const id = status === 'unknown' ? newId() : harness.newClient(points);
          if (status === 'inactive') harness.inactive.add(id);
          harness.tierOf.set(id, own);
          if (points % 2 === 0) harness.segmentMembers.add(id);
          return id;
        });
        const at = (day: number) =>
          new Date(harness.clock.now().getTime() + day * 86_400_000).toISOString();
        const [starts, ends] = offer.days;
        const reward = await harness.newReward({
          active: offer.active,
          purchasable: offer.purchasable,
          cost_in_points: offer.cost,
          ...(offer.isPriced ? {} : { wallet_type_id: null }),
          ...(offer.usage === undefined ? {} : { usage_limit: offer.usage }),
          ...(offer.perClient === undefined ? {} : { usage_limit_per_client: offer.perClient }),
          ...(starts === undefined ? {} : { availability_start: at(starts) }),
          ...(ends === undefined ? {} : { availability_end: at(ends) }),
          ...(offer.pattern === undefined ? {} : { code_pattern: offer.pattern }),
          ...(offer.tier === undefined ? {} : { visibility_tiers: ofTwo(offer.tier) }),
          ...(offer.segment === undefined ? {} : { visibility_segments: ofTwo(offer.segment) }),
        });
        const { workspaceId: workspace_id, deps } = harness;
        if (offer.codes !== undefined) {
          const codes = Array.from({ length: offer.codes }, () => newId());
          await importCoupons(deps, { workspace_id, reward_id: reward.id, codes });
        }
        for (const { who, isGift, onlyPurchasable } of asked) {
          const client_id = clients[who]!;
          const wish = { workspace_id, reward_id: reward.id, client_id, source: 'mobile' };
          const request = { ...wish, purchasable_only: onlyPurchasable };
          const before = harness.ledger.entries.length;
          const foretold = await told(async () => {
            const quote = isGift
              ? await quoteGift(deps, wish)
              : await quoteRedemption(deps, request);
            expect(quote.wallet_type_code).toBe(quote.points_cost > 0 ? 'points' : null);
            return quote.points_cost;
          });
          const dryRun = isGift ? null : await told(() => dryRunOf(request));
          expect(harness.ledger.entries).toHaveLength(before);
          const done = await told(async () => {
            const redeemed = isGift
              ? await giveReward(deps, wish)
              : await redeemReward(deps, request);
            return redeemed.redemption!.points_spent;
          });
          expect(foretold).toEqual(done);
          if (dryRun !== null) expect(dryRun).toEqual(done);
        }
      },
    ),
    propertySettings(30),
  );
});

test('a gift after others that are only thought of is refused as it is after others that were given', async () => {
  const { workspaceId: workspace_id, deps } = harness;
  const limits = [
    { usage_limit_per_client: 2 },
    { usage_limit: 2 },
    { codes: ['one', 'two'] },
    { usage_limit_per_client: 3, usage_limit: 1 },
    {},
  ];
  for (const { codes, ...limit } of limits as { codes?: string[] }[]) {
    const reward = await harness.newReward(limit);
    if (codes) await importCoupons(deps, { workspace_id, reward_id: reward.id, codes });
    const wish = {
      workspace_id,
      reward_id: reward.id,
      client_id: harness.newClient(0),
      source: 'earning_rule',
    };
    const thought = [0, 1, 2, 3].map(
      (given_before) => () =>
        told(async () => (await quoteGift(deps, { ...wish, given_before })).points_cost),
    );
    const foretold = await Promise.all(thought.map((quote) => quote()));
    const done: unknown[] = [];
    for (const _ of thought)
      done.push(await told(async () => (await giveReward(deps, wish)).redemption!.points_spent));
    expect(foretold).toEqual(done);
  }
});

test('a gift is asked about by the moment that is named: a reward of next week is there then, and not before', async () => {
  const { workspaceId: workspace_id, deps, clock } = harness;
  const daysFromNow = (days: number) =>
    new Date(clock.now().getTime() + days * 86_400_000).toISOString();
  const { id: reward_id } = await harness.newReward({
    availability_start: daysFromNow(7),
    availability_end: daysFromNow(14),
  });
  const wish = { workspace_id, reward_id, client_id: harness.newClient(0), source: 'earning_rule' };
  const costs = [undefined, daysFromNow(6), daysFromNow(8), daysFromNow(15)].map((at) =>
    told(
      async () =>
        (await quoteGift(deps, { ...wish, ...(at === undefined ? {} : { at }) })).points_cost,
    ),
  );
  expect(await Promise.all(costs)).toEqual([
    expect.objectContaining({ httpStatus: 400 }),
    expect.objectContaining({ httpStatus: 400 }),
    0,
    expect.objectContaining({ httpStatus: 400 }),
  ]);
});
