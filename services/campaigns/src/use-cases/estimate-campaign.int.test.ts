import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { Harness } from '../testing/harness';
import { estimateCampaign } from './estimate-campaign';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const DAY_MS = 86_400_000;
const estimate = (id: string) => estimateCampaign(harness.deps, harness.row(id));
const supplied = (rewardId: string, known: { startsAt?: Date; tierIds?: string[] } = {}) =>
  harness.peers.supplies.set(rewardId, (at) => ({
    reward_id: rewardId,
    reason: known.startsAt && at < known.startsAt.toISOString() ? 'not_started' : null,
    cost_in_points: 10,
    uses_left: null,
    coupons_left: 3,
    visibility_tiers: known.tierIds ?? [],
    visibility_segments: [],
  }));

test('a draft says of each action whom it would come to and what it would take, and does nothing', async () => {
  const giving = harness.giving();
  supplied((giving[1].reward_ids as string[])[0]!, { tierIds: [newId()] });
  const clients = [
    ...harness.newClients(2, 1),
    harness.newClient({ marketing_consent: false }, 1),
    ...harness.newClients(2),
    harness.newClient({ status: 'inactive' }),
  ];
  const audience = { manual_client_ids: clients };
  const { id, actionIds } = await harness.newCampaign(audience, harness.pushing(), giving);
  expect(await estimate(id)).toEqual({
    total: 5,
    reachable: 3,
    consenting: 4,
    by_action: [
      {
        action_id: actionIds[0],
        customers: 2,
        points: 0,
        coupons_needed: 0,
        coupons_left: null,
        shortfalls: [
          { reason: 'no_pass', customers: 2, reward_id: null },
          { reason: 'no_consent', customers: 1, reward_id: null },
        ],
      },
      {
        action_id: actionIds[1],
        customers: 3,
        points: 30,
        coupons_needed: 4,
        coupons_left: 3,
        shortfalls: [
          { reason: 'tier_locked', customers: 1, reward_id: expect.any(String) },
          { reason: 'out_of_coupons', customers: 1, reward_id: expect.any(String) },
        ],
      },
    ],
  });
  expect(harness.peers.asked).toBe(0);
});

test('rewards are looked at as they will be when the campaign runs', async () => {
  const tomorrow = new Date(harness.clock.now().getTime() + DAY_MS);
  const giving = harness.giving();
  supplied((giving[1].reward_ids as string[])[0]!, { startsAt: tomorrow });
  const manual_client_ids = harness.newClients(2);
  const plan = { manual_client_ids, scheduled_at: tomorrow.toISOString() };
  const planned = await harness.newCampaign(plan, giving);
  const unplanned = await harness.newCampaign({ manual_client_ids }, giving);
  expect((await estimate(planned.id)).by_action[0]).toMatchObject({ customers: 2 });
  expect((await estimate(unplanned.id)).by_action[0]).toMatchObject({ customers: 0 });
});

test('a tier comes to who is in the programme, and opens what is for it to whom it comes', async () => {
  const [tea, cake, gold] = [harness.newReward(), harness.newReward(), harness.newTier()];
  supplied(tea, { tierIds: [gold] });
  supplied(cake, { tierIds: [newId()] });
  const clients = [...harness.newClients(3), harness.newClient({ loyalty_program_enabled: false })];
  const both = ['give_reward', { reward_ids: [tea, cake] }] as [string, JsonObject];
  const assigning = ['assign_tier', { tier_id: gold }] as [string, JsonObject];
  const audience = { manual_client_ids: clients };
  const { id } = await harness.newCampaign(audience, assigning, both);
  const { by_action } = await estimate(id);
  expect(by_action).toMatchObject([
    {
      customers: 3,
      shortfalls: [{ reason: 'loyalty_disabled', customers: 1, reward_id: null }],
    },
    {
      customers: 0,
      points: 30,
      shortfalls: [
        { reason: 'tier_locked', customers: 1, reward_id: tea },
        { reason: 'tier_locked', customers: 4, reward_id: cake },
      ],
    },
  ]);
  harness.peers.tiers.delete(gold);
  expect((await estimate(id)).by_action[0]).toMatchObject({
    customers: 0,
    shortfalls: [{ reason: 'unknown_tier', customers: 4 }],
  });
});

test('a campaign without an audience yet, or for a segment that is gone, reaches no client', async () => {
  const segment_id = newId();
  harness.peers.segments.set(segment_id, harness.newClients(2));
  const [open, gone] = [
    await harness.newCampaign({}, harness.pushing()),
    await harness.newCampaign({ segment_id }, harness.pushing()),
  ];
  expect(await estimate(gone.id)).toMatchObject({ total: 2 });
  harness.peers.segments.delete(segment_id);
  for (const { id } of [open, gone])
    expect(await estimate(id)).toMatchObject({ total: 0, by_action: [{ customers: 0 }] });
});

test('a campaign of another workspace is not found', async () => {
  const { id } = await harness.newCampaign({}, harness.pushing());
  const foreign = { workspace_id: newId(), id };
  await expect(estimateCampaign(harness.deps, foreign)).rejects.toMatchObject({ httpStatus: 404 });
});
