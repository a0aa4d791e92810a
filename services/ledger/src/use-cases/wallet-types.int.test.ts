import { newId } from '@laurel/lifecycle';
import { asCaller, type TestLedger, testLedger } from '../testing/ledger';
import { summarizePoints } from './summarize-points';

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

test('a workspace has a hundred wallet types at most, and a code that is taken says so first', async () => {
  const workspace_id = newId();
  const create = (code: string) =>
    asCaller(() => ledger.rpc.CreateWalletType({ workspace_id, code, name: code }));
  await create('points');
  const [made] = await ledger.deps.walletTypes.list(workspace_id);
  const rows = Array.from({ length: 98 }, (_, n) => ({
    ...made!,
    _id: newId(),
    code: `code ${n}`,
    is_default: false,
  }));
  await ledger.connection.collection<{ _id: string }>('wallet_types').insertMany(rows);
  const { id } = await create('last');
  await expect(create('one_more')).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
    message: 'a workspace has at most 100 wallet types',
  });
  await expect(create('points')).rejects.toMatchObject({ code: 'CONFLICT' });
  await asCaller(() => ledger.rpc.UpdateWalletType({ workspace_id, id, name: 'Renamed' }));
});

test('the summary of a workspace sums few of its wallet types at once, and tells of all of them', async () => {
  const workspace_id = newId();
  const codes = Array.from({ length: 12 }, (_, n) => `code_${n}`);
  for (const code of codes)
    await asCaller(() => ledger.rpc.CreateWalletType({ workspace_id, code, name: code }));
  for (const wallet_type_code of codes) {
    const earn = { workspace_id, client_id: newId(), amount: 2, wallet_type_code };
    await asCaller(() => ledger.rpc.EarnPoints(earn));
  }
  let [underWay, most] = [0, 0];
  const { entries } = ledger.deps;
  const aggregate = (stages: object[]) => ({
    toArray: async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      const rows = await entries.collection.aggregate(stages).toArray();
      underWay -= 1;
      return rows;
    },
  });
  const counted = { ...entries, collection: { aggregate } } as unknown as typeof entries;
  const summary = await summarizePoints({ ...ledger.deps, entries: counted }, { workspace_id });
  expect(summary.earned).toBe(24);
  const told = summary.by_wallet_type.map((each) => [each.wallet_type_code, each.earned]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(codes.map((code) => [code, 2])));
  expect(most).toBeLessThanOrEqual(4);
});
