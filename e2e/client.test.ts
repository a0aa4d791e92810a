import { isLaurelError, Laurel, type LaurelEvent, verifyWebhook } from '@laurel/client';
import { until } from '@laurel/testing';
import { gateways } from './support/api';
import { newClient, newWalletType, newWorkspace, type TestWorkspace } from './support/factories';

let workspace: TestWorkspace;
let laurel: Laurel;
beforeAll(async () => {
  workspace = await newWorkspace();
  await newWalletType(workspace, { is_default: true });
  laurel = new Laurel({
    baseUrl: gateways()[0]!,
    token: workspace.token,
    workspace: workspace.workspaceId,
  });
});

test('a till finds its member, earns, redeems after a dry run, and takes it back', async () => {
  const phone = `+4850${Math.floor(1_000_000 + Math.random() * 8_999_999)}`;
  const { id: client_id } = await laurel.clients.create({
    email: `${phone.slice(1)}@example.com`,
    phone,
  });
  await until(async () => (await laurel.clients.search({ q: phone })).length === 1);
  const entry = await laurel.points.earn({ client_id, amount: 12.5, external_id: 'order-7' });
  expect(entry).toMatchObject({ client_id, amount: 12.5, balance_after: 12.5 });
  const again = await laurel.points.earn({ client_id, amount: 12.5, external_id: 'order-7' });
  expect(again.id).toBe(entry.id);

  const wallets = await laurel.points.listWalletsForClient(client_id);
  const reward = await laurel.rewards.create({
    name: 'Coffee',
    cost_in_points: 10,
    wallet_type_id: wallets[0]!.wallet_type.id,
  });
  const body = { client_id, reward_id: reward.id };
  await laurel.rewards.redeem({ ...body, dry_run: true });
  const { data: none } = await laurel.rewards.listRedemptions({ client_id });
  expect(none).toEqual([]);
  await laurel.rewards.redeem(body);
  const { data } = await laurel.rewards.listRedemptions({ client_id });
  await laurel.rewards.cancelRedemption(data[0]!.id);
  const [after] = await laurel.points.listWalletsForClient(client_id);
  expect(after?.wallet.active_balance).toBe(12.5);
});

test('a refusal names its code and its reason', async () => {
  const { id: client_id } = await newClient(workspace);
  const error = await laurel.points.spend({ client_id, amount: 500 }).catch((thrown) => thrown);
  expect(isLaurelError(error)).toBe(true);
  expect(error).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' });
  expect(error.requestId).toEqual(expect.any(String));
});

test('one key makes one entry, however often and from wherever the call is made', async () => {
  const { id: client_id } = await newClient(workspace);
  const idempotencyKey = `sale-${client_id}`;
  const calls = Array.from({ length: 5 }, () =>
    laurel.points.earn({ client_id, amount: 3 }, { idempotencyKey, retries: 5 }),
  );
  const entries = await Promise.all(calls);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(1);
  const { data } = await laurel.points.listEntriesForClient(client_id);
  expect(data).toHaveLength(1);
});

test('every row of a long list comes once, whatever the size of a page', async () => {
  const { id: client_id } = await newClient(workspace);
  const amounts = Array.from({ length: 7 }, (_, index) => index + 1);
  for (const amount of amounts) await laurel.points.earn({ client_id, amount });
  const rows = await laurel.points.listEntriesForClient(client_id, { limit: 3 }).all();
  expect(rows.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual(amounts);
  const first = await laurel.points.listEntriesForClient(client_id, { limit: 3 });
  expect(first.data).toHaveLength(3);
});

test('a webhook that the platform signed is one that the client takes', async () => {
  const created = await laurel.webhooks.create({ url: 'https://example.com/', event_types: ['*'] });
  const payload = JSON.stringify({ type: 'webhook.test' });
  await expect(verifyWebhook<LaurelEvent>(payload, {}, created.secret)).rejects.toThrow(
    'is missing',
  );
  expect(created.secret).toMatch(/^whsec_/);
});
