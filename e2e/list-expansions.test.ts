import { until } from '@laurel/testing';
import { onOneDay } from './support/days';
import { expectStatus, newClient, newWalletType, newWorkspace } from './support/factories';
import { buy } from './support/purchases';

test('lists of rewards and rules tell how each fares and its last thirty days, where that is asked for', () =>
  onOneDay(async () => {
    const workspace = await newWorkspace();
    const beans = await newWalletType(workspace, { code: 'beans', is_default: true });
    const client = await newClient(workspace, { first_name: 'Ann' });
    const reward = {
      name: 'Coffee',
      cost_in_points: 5,
      usage_limit: 10,
      wallet_type_id: beans.id,
    };
    const { id } = expectStatus(await workspace.post(':ws/rewards', reward), 200).body.data;
    expectStatus(await workspace.post(':ws/rewards', { ...reward, name: 'Tea' }), 200);
    const rule = {
      name: 'Earn',
      trigger_type: 'transaction',
      effects: [
        { type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 9 },
      ],
    };
    expectStatus(await workspace.post(':ws/automations', rule), 201);
    await buy(workspace, client.id);
    const rules = async () =>
      expectStatus(await workspace.get(':ws/automations?expand=last30'), 200).body.data;
    await until(async () => (await rules())[0].last30.at(-1).count === 1);
    const [{ last30 }] = await rules();
    expect(last30).toHaveLength(30);
    expect(last30.slice(0, -1).every(({ count }: { count: number }) => count === 0)).toBe(true);

    const redeem = { client_id: client.id, reward_id: id };
    expectStatus(await workspace.post(':ws/rewards/redeem', redeem), 200);
    const path = ':ws/rewards?expand=stats&expand=last30';
    const [tea, coffee] = expectStatus(await workspace.get(path), 200).body.data;
    expect(coffee.stats).toEqual({
      redeemed: 1,
      cancelled: 0,
      used: 0,
      remaining: 9,
      points_spent: 5,
    });
    expect(coffee.last30.at(-1).count).toBe(1);
    expect(tea.stats).toMatchObject({ redeemed: 0, remaining: 10 });
    const stats = expectStatus(await workspace.get(`:ws/rewards/${id}/stats`), 200).body.data;
    expect(stats).toEqual(coffee.stats);
    expect((await workspace.get(':ws/rewards')).body.data[0]).not.toHaveProperty('last30');
    expectStatus(await workspace.get(':ws/rewards?expand=everything'), 400);
  }));
