import { until } from '@laurel/testing';
import {
  actionIn,
  campaignIn,
  dataOf,
  PUSH,
  passIn,
  rewardIn,
  settled,
  templateIn,
} from './support/campaigns';
import { expectStatus, newClient, newWorkspace } from './support/factories';
import { expectRefusal } from './support/referrals';

test('an estimate foretells whom each action comes to, which the campaign then bears out', async () => {
  const [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  const [ana, ben] = await Promise.all([
    newClient(workspace, { marketing_consent: true }),
    newClient(workspace),
    newClient(workspace, { marketing_consent: true }),
  ]);
  const template = await templateIn(workspace);
  await Promise.all([ana, ben].map(({ id }) => passIn(workspace, template, id)));
  const rewardId = await rewardIn(workspace, { cost_in_points: 2.5 });
  const codes = { codes: ['GIFT-ONE', 'GIFT-TWO'] };
  expectStatus(await workspace.post(`:ws/rewards/${rewardId}/coupons/import`, codes), 201);
  const segment = await workspace.post(':ws/segments', { name: 'All' });
  const { id: segment_id } = expectStatus(segment, 201).body.data;
  const { id } = await campaignIn(workspace, { segment_id });
  const push = await actionIn(workspace, id, ...PUSH);
  const gift = await actionIn(workspace, id, 'give_reward', { reward_ids: [rewardId] });
  const path = `/campaigns/${id}/estimate`;
  // Whose card it is reaches the segments a moment after the card is there.
  const estimate = await until(
    async () => {
      const found = await dataOf(workspace, path);
      return found.reachable === 2 ? found : null;
    },
    { what: 'both cards known' },
  );
  expect(estimate).toEqual({
    total: 3,
    reachable: 2,
    consenting: 2,
    by_action: [
      {
        action_id: push.id,
        customers: 1,
        points: 0,
        coupons_needed: 0,
        coupons_left: null,
        shortfalls: [
          { reason: 'no_pass', customers: 1, reward_id: null },
          { reason: 'no_consent', customers: 1, reward_id: null },
        ],
      },
      {
        action_id: gift.id,
        customers: 2,
        points: 5,
        coupons_needed: 3,
        coupons_left: 2,
        shortfalls: [{ reason: 'out_of_coupons', customers: 1, reward_id: rewardId }],
      },
    ],
  });
  expectRefusal(await stranger.get(path), 404, 'RECORD_NOT_FOUND');

  expectStatus(await workspace.post(`/campaigns/${id}/launch`), 200);
  expect(await settled(workspace, id)).toMatchObject({ rewards_issued: 2 });
  const stats = await dataOf(workspace, `/campaigns/${id}/action-stats`);
  expect(stats.map((one: { completed: number }) => one.completed)).toEqual([1, 2]);
});

test('a tier is estimated to come to who is in the programme, and to open rewards for it, as it then does', async () => {
  const workspace = await newWorkspace();
  expectStatus(await workspace.post(':ws/tiers/set', { name: 'Set' }), 201);
  const gold = { name: 'Gold', kind: 'exclusive', condition_values: {} };
  const { id: tier_id } = expectStatus(await workspace.post(':ws/tiers', gold), 201).body.data;
  const [member, stranger] = [
    await newClient(workspace, { loyalty_program_enabled: true }),
    await newClient(workspace),
  ];
  const rewardId = await rewardIn(workspace, { visibility_tiers: [tier_id] });
  const { id } = await campaignIn(workspace, { manual_client_ids: [member.id, stranger.id] });
  await actionIn(workspace, id, 'assign_tier', { tier_id });
  await actionIn(workspace, id, 'give_reward', { reward_ids: [rewardId] });
  expect((await dataOf(workspace, `/campaigns/${id}/estimate`)).by_action).toMatchObject([
    {
      customers: 1,
      shortfalls: [{ reason: 'loyalty_disabled', customers: 1, reward_id: null }],
    },
    {
      customers: 1,
      shortfalls: [{ reason: 'tier_locked', customers: 1, reward_id: rewardId }],
    },
  ]);
  expectStatus(await workspace.post(`/campaigns/${id}/launch`), 200);
  await settled(workspace, id);
  const stats = await dataOf(workspace, `/campaigns/${id}/action-stats`);
  expect(stats.map((one: { completed: number }) => one.completed)).toEqual([1, 1]);
});
