import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@laurel/testing';
import { Webhook } from 'standardwebhooks';
import { expectStatus, newClient, newWalletType, newWorkspace } from './support/factories';
import { newPass } from './support/passes';
import { buy } from './support/purchases';

const received: { headers: Record<string, string>; text: string; type: string }[] = [];
const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    received.push({ headers: plain(request.headers), text, type: JSON.parse(text).type });
    response.end();
  });
});
const plain = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('every kind of event arrives once, signed, under the name of the contract', async () => {
  const workspace = await newWorkspace();
  const registered = await workspace.post(':ws/webhooks', { url, event_types: ['*'] });
  const verifier = new Webhook(expectStatus(registered, 201).body.secret);
  await newWalletType(workspace);
  const { id: client_id } = await newClient(workspace, { first_name: 'Ada' });
  const { id: source_client_id } = await newClient(workspace);
  const points = (operation: string, body: object) =>
    workspace.post(`:ws/loyalty/points/${operation}`, { client_id, ...body });
  const reward = await workspace.post(':ws/rewards', { name: 'Mug', cost_in_points: 0 });
  const reward_id = reward.body.data.id;

  await workspace.patch(`:ws/clients/${client_id}`, { first_name: 'Grace' });
  await points('earn', { amount: 10 });
  await points('spend', { amount: 1 });
  await points('adjust', { amount: 1, description: 'goodwill' });
  await workspace.post(':ws/engagement', { client_id, event_type: 'check_in' });
  await workspace.post(':ws/custom-events', { client_id, event_type: 'pool_party' });
  await buy(workspace, client_id);
  await workspace.laurel.events.record({
    pass_id: await newPass(workspace, client_id),
    event_category: 'loyalty',
    event_type: 'points_expired',
  });
  const redeemed = await workspace.post(':ws/rewards/redeem', { reward_id, client_id });
  const redemption = `:ws/rewards/redemptions/${redeemed.body.data.redemption.id}`;
  await workspace.post(`${redemption}/use`);
  await workspace.post(`${redemption}/cancel`);
  await workspace.post(':ws/clients/merge', { source_client_id, target_client_id: client_id });
  await workspace.post(`:ws/clients/${client_id}/anonymize`);
  await workspace.del(`:ws/clients/${client_id}`);

  const expected = [
    ...['client.created', 'client.updated', 'client.merged', 'client.anonymized', 'client.deleted'],
    ...['loyalty.points_earned', 'loyalty.points_spent', 'loyalty.points_adjusted'],
    ...['reward_redeemed', 'reward_used', 'reward_cancelled'],
    ...[
      'field_change',
      'engagement.check_in',
      'custom.pool_party',
      'transaction.purchase',
      'loyalty.points_expired',
    ],
  ];
  await until(() => expected.every((name) => received.some(({ type }) => type === name)));
  for (const { text, headers } of received)
    expect(verifier.verify(text, headers)).toMatchObject({ workspace_id: workspace.workspaceId });
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
});
