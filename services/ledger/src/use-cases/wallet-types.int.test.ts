import { newId } from '@laurel/lifecycle';
import { asCaller, type TestLedger, testLedger } from '../testing/ledger';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

const prepared = (workspace_id: string, code: string) =>
  ledger.rpc.CreateWalletType({ workspace_id, code, name: code, active: false });
const switchOn = (workspace_id: string, id: string) =>
  asCaller(() => ledger.rpc.UpdateWalletType({ workspace_id, id, active: true }));

test('a first wallet type that was made before it was wanted becomes the default when it is switched on', async () => {
  const workspace_id = newId();
  const { id, is_default } = await prepared(workspace_id, 'points');
  expect(is_default).toBe(false);
  expect(await switchOn(workspace_id, id)).toMatchObject({ active: true, is_default: true });
  const earned = await asCaller(() =>
    ledger.rpc.EarnPoints({ workspace_id, client_id: newId(), amount: 1 }),
  );
  expect(earned.entry).toMatchObject({ wallet_type_id: id });
  const second = await prepared(workspace_id, 'stars');
  expect(await switchOn(workspace_id, second.id)).toMatchObject({ is_default: false });
});

test('of several that are switched on at once one becomes the default', async () => {
  const workspace_id = newId();
  const made = await Promise.all(
    ['points', 'stars', 'euros'].map((code) => prepared(workspace_id, code)),
  );
  await Promise.all(made.map(({ id }) => switchOn(workspace_id, id)));
  const { wallet_types } = await ledger.rpc.ListWalletTypes({ workspace_id });
  expect(wallet_types.map(({ active }) => active)).toEqual([true, true, true]);
  expect(wallet_types.filter((type) => type.is_default)).toHaveLength(1);
});
