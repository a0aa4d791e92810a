import { until } from '@laurel/testing';
import { expectStatus, newWalletType, newWorkspace } from '../support/factories';
import { openReceiver, type Receiver } from '../support/receiver';
import { restart, urlOf, waves } from '../support/replicas';
import { Rotation } from '../support/rotation';
import { Shopper } from '../support/shopper';

jest.setTimeout(600_000);

const SHOPPERS = 4;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

/** Every process once, as a rolling update goes; a gateway leaves the load balancer first. */
async function restartAll(rotation: Rotation): Promise<void> {
  for (const wave of waves()) await Promise.all(wave.map((name) => restartOne(rotation, name)));
}

async function restartOne(rotation: Rotation, name: string): Promise<void> {
  const gateway = urlOf(name);
  if (gateway) await rotation.withdraw(gateway);
  await restart(name);
  if (gateway) rotation.admit(gateway);
}

test('a rolling restart under load fails no request, loses and doubles nothing', async () => {
  const workspace = await newWorkspace();
  const { id: wallet_type_id } = await newWalletType(workspace);
  const reward = { name: 'Espresso', cost_in_points: 5, wallet_type_id, code_pattern: '{RAND:8}' };
  const { id: rewardId } = expectStatus(await workspace.post(':ws/rewards', reward), 200).body.data;
  const webhook = { url: receiver.url, event_types: ['*'] };
  receiver.trust(expectStatus(await workspace.post(':ws/webhooks', webhook), 201).body.secret);

  const rotation = new Rotation();
  const shoppers = Array.from(
    { length: SHOPPERS },
    () => new Shopper(workspace, rotation, rewardId),
  );
  const shopping = shoppers.map((shopper) => shopper.shop());
  await restartAll(rotation);
  for (const shopper of shoppers) shopper.goHome();
  await Promise.all(shopping);

  expect(shoppers.flatMap(({ failures }) => failures)).toEqual([]);
  const done = (what: 'earned' | 'spent' | 'redeemed' | 'created') =>
    shoppers.reduce((sum, { counts }) => sum + counts[what], 0);
  // There was load all along: each shopper did something while each of the processes was away.
  expect(done('earned')).toBeGreaterThan(SHOPPERS * waves().length);

  for (const { clientId, balance } of shoppers) {
    const wallets = expectStatus(await workspace.get(`:ws/clients/${clientId}/wallets`), 200);
    expect(wallets.body.data[0].wallet.active_balance).toBe(balance);
  }
  // What a restart cuts off is taken back and tried again under the same key, before anybody has an answer.
  const cancels = await workspace.get(':ws/loyalty/points/ledger', { type: 'cancel', limit: '1' });
  const undone = expectStatus(cancels, 200).body.meta.total_count;
  expect(undone).toBeLessThanOrEqual(SHOPPERS * waves().length);
  const entries = done('earned') + done('spent') + done('redeemed') + 2 * undone;
  const verified = expectStatus(await workspace.post(':ws/loyalty/points/verify'), 200).body.data;
  expect(verified).toMatchObject({ valid: true, entries_checked: entries });
  const stats = expectStatus(await workspace.get(`:ws/rewards/${rewardId}/stats`), 200).body.data;
  expect(stats.redeemed).toBe(done('redeemed'));

  const expected = {
    'client.created': done('created'),
    'loyalty.points_earned': done('earned'),
    'loyalty.points_spent': done('spent') + done('redeemed') + undone,
    ...(undone > 0 ? { 'loyalty.points_refunded': undone } : {}),
    reward_redeemed: done('redeemed'),
  };
  await until(() => receiver.total() >= Object.values(expected).reduce((a, b) => a + b), {
    withinMs: 120_000,
    what: `webhooks ${JSON.stringify(expected)}, of which came ${JSON.stringify(receiver.byType())}`,
  });
  expect(receiver.byType()).toEqual(expected);
  expect(receiver.unsigned()).toBe(0);
  expect(receiver.copies()).toEqual([]);
});
