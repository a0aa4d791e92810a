import { expectStatus, newWalletType, newWorkspace } from './support/factories';
import { newApp, newDevice, newHolder } from './support/mobile';

test('an action of the staff app pays points, and every view of the pass answers', async () => {
  const workspace = await newWorkspace();
  const { code } = await newWalletType(workspace);
  const device = await newDevice(workspace);
  expect((await device.get(':ws/mobile-app')).body).toEqual({ data: null });
  const app = await newApp(workspace);
  const { pass } = await newHolder(workspace);
  const paid = await device.run(app.actions[0].id, pass.id, { points: 5 });
  expect(expectStatus(paid, 200).body.data).toMatchObject({
    action_id: app.actions[0].id,
    action_type: 'add_points',
    status: 'success',
    result: { type: 'earn', amount: 5 },
    balances: [{ wallet_type_code: code, active_balance: 5, pending_balance: 0 }],
  });
  for (const view of ['', '/history', '/transactions', '/loyalty', '/ledger', '/rewards'])
    expectStatus(await device.get(`/mobile-app/passes/${pass.id}${view}`), 200);
});
