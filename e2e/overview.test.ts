import { until } from '@laurel/testing';
import { callerFor } from './support/api';
import { dayIn, onOneDay } from './support/days';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWalletType,
  newWorkspace,
} from './support/factories';
import { overviewOf as overview } from './support/overview';
import { buy } from './support/purchases';
import { expectRefusal } from './support/referrals';

test('GET :ws/overview tells customers, points, redemptions, passes and tiers of the last thirty days', () =>
  onOneDay(async (today) => {
    const workspace = await newWorkspace();
    const beans = await newWalletType(workspace, { code: 'beans' });
    const client = await newClient(workspace);
    await newClient(workspace);
    const earn = { client_id: client.id, amount: 20.5 };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', earn), 201);
    const reward = { name: 'Coffee', cost_in_points: 8, wallet_type_id: beans.id };
    const { id: reward_id } = (await workspace.post(':ws/rewards', reward)).body.data;
    const redeem = { reward_id, client_id: client.id };
    expectStatus(await workspace.post(':ws/rewards/redeem', redeem), 200);
    await buy(workspace, client.id);
    await until(async () => (await overview(workspace)).data.customers.active === 1);
    const { data, meta } = await overview(workspace);
    expect(meta).toEqual({
      from_date: dayIn('UTC', 29),
      to_date: today,
      timezone: 'UTC',
      missing: [],
    });
    expect(data).toMatchObject({
      customers: { total: 2, new: 2, active: 1 },
      currencies: [
        { wallet_type_code: 'beans', issued: 20.5, used: 8, expired: 0, owed: 12.5, pending: 0 },
      ],
      redemptions: { count: 1 },
      passes: { total: 1, new: 1 },
      tiers: [{ tier_id: null, count: expect.any(Number) }],
      previous: null,
    });
    expect(data.customers.buckets).toHaveLength(30);
    expect(data.customers.buckets.at(-1)).toEqual({ date: today, new: 2, active: 1 });
    expect(data.customers.buckets[0]).toEqual({ date: dayIn('UTC', 29), new: 0, active: 0 });
    expect(data.currencies[0].buckets.at(-1)).toEqual({
      date: today,
      issued: 20.5,
      used: 8,
      expired: 0,
      owed: 12.5,
    });
    expect(data.currencies[0].buckets[0].owed).toBe(0);
  }));

/** Where each day begins first of all. */
const EARLIEST = 'Pacific/Kiritimati';

test('the overview goes by the days of the workspace, in weeks and months too, beside the time before', () =>
  onOneDay(async (today) => {
    const workspace = await newWorkspace();
    expectStatus(await workspace.patch(':ws/settings', { timezone: EARLIEST }), 200);
    await newClient(workspace);
    const by = async (query: string) => (await overview(workspace, `?${query}`)).data;
    const day = await by(`from_date=${today}&to_date=${today}&compare=previous`);
    expect(day.customers.buckets).toEqual([{ date: today, new: 1, active: 0 }]);
    const yesterday = dayIn(EARLIEST, 1);
    expect(day.previous).toMatchObject({
      from_date: yesterday,
      to_date: yesterday,
      customers: { new: 0, active: 0 },
      redemptions: { count: 0 },
    });
    const months = await by(`from_date=${today.slice(0, 4)}-01-01&group_by=month&compare=year`);
    expect(months.customers.buckets.at(-1)).toMatchObject({
      date: `${today.slice(0, 7)}-01`,
      new: 1,
    });
    expect(months.previous.from_date).toBe(`${Number(today.slice(0, 4)) - 1}-01-01`);
    const weeks = await by('group_by=week');
    const sum = weeks.customers.buckets.reduce(
      (total: number, bucket: { new: number }) => total + bucket.new,
      0,
    );
    expect(sum).toBe(1);
    // Days that are still to come are no reason to refuse.
    const ahead = await by(`from_date=${today}&to_date=${dayIn(EARLIEST, -3)}`);
    expect(ahead.customers.new).toBe(1);
  }, EARLIEST));

test('ranges that are none are refused, naming the field', async () => {
  const workspace = await newWorkspace();
  const refused = async (query: string, field: string) =>
    expectRefusal(await workspace.get(`:ws/overview?${query}`), 400, 'INVALID_PAYLOAD', field);
  await refused('from_date=2026-05-02&to_date=2026-05-01', 'to_date');
  await refused('from_date=2099-01-01&to_date=2099-01-02', 'from_date');
  await refused('from_date=2001-01-01', 'from_date');
  await refused('to_date=0000-01-01', 'to_date');
  await refused('from_date=0000-01-01&to_date=0000-01-02&compare=year', 'from_date');
  await refused('from_date=0000-01-01&to_date=0000-01-02&compare=previous', 'from_date');
  await refused('from_date=2026-02-30', 'from_date');
  await refused('group_by=hour', 'group_by');
  await refused('compare=never', 'compare');
});

test('the overview is for members, and of their workspace alone', async () => {
  const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  await newClient(other);
  const member = await newMember(workspace);
  expect((await overview(member)).data.customers).toMatchObject({ total: 0, new: 0 });
  const stranger = await newUser();
  const outside = callerFor(stranger.token, workspace.workspaceId);
  expectRefusal(await outside.get(':ws/overview'), 403, 'FORBIDDEN');
});
