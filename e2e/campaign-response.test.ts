import { until } from '@laurel/testing';
import { dataOf, readyIn, rewardIn, settled } from './support/campaigns';
import { expectStatus, newClient, newWalletType, newWorkspace } from './support/factories';
import { buy } from './support/purchases';
import { expectRefusal } from './support/referrals';

interface After {
  returned: number;
}

test('statistics tell who of those whom a campaign reached came, redeemed and spent, by day', async () => {
  const workspace = await newWorkspace();
  await newWalletType(workspace, { code: 'beans', is_default: true });
  const [ann, bea, cleo] = await Promise.all(
    ['Ann', 'Bea', 'Cleo'].map((first_name) => newClient(workspace, { first_name })),
  );
  const { id } = await readyIn(workspace, [ann!.id, bea!.id]);
  const path = `/campaigns/${id}/statistics`;
  expect(await dataOf(workspace, path)).not.toHaveProperty('after');
  expect((await dataOf(workspace, `${path}?within_days=7`)).after).toBeNull();
  expectStatus(await workspace.post(`/campaigns/${id}/launch`, {}), 200);
  await settled(workspace, id);

  await buy(workspace, ann!.id, { amount: 12.5 });
  await buy(workspace, ann!.id, { amount: 2.5 });
  // No member whom the campaign was for.
  await buy(workspace, cleo!.id, { amount: 100 });
  const redeem = { client_id: bea!.id, reward_id: await rewardIn(workspace) };
  expectStatus(await workspace.post(':ws/rewards/redeem', redeem), 200);
  const isTold = async () => {
    const { data } = expectStatus(await workspace.get(`:ws/clients/${bea!.id}/events`), 200).body;
    return data.some(({ event_type: type }: { event_type: string }) => type === 'reward_redeemed');
  };
  await until(isTold, { what: 'the redemption in the trail' });

  const { after } = await dataOf(workspace, `${path}?within_days=7`);
  const came = { returned: 1, redeemed: 1, spent: 15 };
  expect(after).toMatchObject({ within_days: 7, ...came });
  const sum = (days: After[]) => days.reduce((total, { returned }) => total + returned, 0);
  expect(sum(after.buckets)).toBe(1);
  expectRefusal(await workspace.get(`${path}?within_days=91`), 400, 'INVALID_PAYLOAD');
  const stranger = await newWorkspace();
  expectStatus(await stranger.get(`${path}?within_days=7`), 404);
});
