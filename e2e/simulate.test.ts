import { until } from '@laurel/testing';
import { onOneDay } from './support/days';
import { expectStatus, newClient, newWalletType, newWorkspace } from './support/factories';
import { buy } from './support/purchases';
import { expectRefusal } from './support/referrals';

test('what simulate says of rules that are not saved is what comes of them once they are, the tier that they lead to and its rules with it', () =>
  onOneDay(async () => {
    const owner = await newWorkspace();
    await newWalletType(owner, { code: 'points', is_default: true });
    expectStatus(
      await owner.post(':ws/tiers/set', { name: 'Levels', conditions: [{ type: 'total_earned' }] }),
      201,
    );
    const tier = (name: string, sort_order: number, condition_values: object) =>
      owner.post(':ws/tiers', { name, sort_order, condition_values });
    expectStatus(await tier('Guest', 0, {}), 201);
    expectStatus(await tier('Regular', 1, { total_earned: 20 }), 201);
    const earning = (amount_expression: string) => [
      {
        type: 'earn_points',
        wallet_type_code: 'points',
        amount_type: 'expression',
        amount_expression,
      },
    ];
    const rules = [
      {
        name: 'Twice on that day',
        trigger_type: 'transaction',
        conditions: [
          { type: 'expression', expression: 'weekday(now) == weekday(event.event_timestamp)' },
        ],
        effects: earning('event.amount * 2.0'),
      },
      {
        name: 'A regular',
        trigger_type: 'loyalty',
        trigger_config: { event_types: ['tier_promoted'] },
        conditions: [{ type: 'expression', expression: 'tier.name == "Regular"' }],
        effects: earning('7'),
      },
    ];
    const { id } = await newClient(owner, { loyalty_program_enabled: true });
    const event = { trigger_type: 'transaction', event_type: 'purchase', amount: 12.5 };
    const ask = async (more: object) =>
      expectStatus(
        await owner.post(':ws/automations/simulate', { client_id: id, event, ...more }),
        200,
      ).body.data;
    const following = [{ name: 'A regular', event_type: 'tier_promoted', points: 7 }];
    const foretold = { total_points: 25, following, not_foretold: [], approximations: [] };
    await until(async () => (await ask({ rules })).following.length > 0);
    expect(await ask({ rules })).toMatchObject(foretold);
    expect(await ask({ rules, now: '2031-03-04T10:00:00Z' })).toMatchObject({ total_points: 25 });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const dated = { event: { ...event, event_timestamp: new Date().toISOString() }, now: tomorrow };
    expect(await ask({ rules, ...dated })).toMatchObject({ total_points: 0, following: [] });
    expectRefusal(
      await owner.post(':ws/automations/simulate', {
        client_id: id,
        event,
        rules: [rules[0], { ...rules[1], effects: earning('nobody.knows') }],
      }),
      400,
      'INVALID_PAYLOAD',
      'rules.1.effects.0.amount_expression',
    );
    expect((await owner.get(':ws/automations')).body.data).toEqual([]);

    for (const rule of rules) expectStatus(await owner.post(':ws/automations', rule), 201);
    expect(await ask({})).toMatchObject(foretold);
    await buy(owner, id);
    const executed = async () =>
      (await owner.get(`:ws/automations/executions?client_id=${id}`)).body.data;
    await until(async () => (await executed()).length === 2);
    const ran = await executed();
    expect(
      ran.map(({ points_awarded }: { points_awarded: number }) => points_awarded).sort(),
    ).toEqual([25, 7]);
  }));

test('a refund of points that is asked with dry_run says what it would take back and takes nothing', async () => {
  const owner = await newWorkspace();
  await newWalletType(owner, { code: 'points', is_default: true });
  const { id: client_id } = await newClient(owner);
  const sale = { source_type: 'transaction', source_id: 'order-7' };
  expectStatus(
    await owner.post(':ws/loyalty/points/earn', { client_id, amount: 30, ...sale }),
    201,
  );
  const refund = (more: object) =>
    owner.post(':ws/loyalty/points/refund', { source_id: 'order-7', ratio: 0.5, ...more });
  const asked = expectStatus(await refund({ dry_run: true }), 200).body.data;
  expect(asked).toEqual({
    entries: [],
    refunded_points: 15,
    shortfall: 0,
    taken: [{ wallet_type_code: 'points', points: -15, pending: 0 }],
  });
  const done = expectStatus(await refund({}), 201).body.data;
  expect(done).toMatchObject({ refunded_points: 15, shortfall: 0, entries: [{ amount: -15 }] });
  expectRefusal(await refund({ dry_run: true, ratio: 0.6 }), 400, 'INVALID_PAYLOAD', 'ratio');
});
