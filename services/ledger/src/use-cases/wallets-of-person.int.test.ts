import { newId } from '@laurel/lifecycle';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { walletRef } from './resolve-wallet';
import { walletsOfPerson } from './wallets-of-person';

let ledger: TestLedger;
let workspace_id: string;
beforeAll(async () => {
  ledger = await testLedger();
  workspace_id = await testWorkspace(ledger);
});
afterAll(() => ledger.drop());

async function newClient(): Promise<string> {
  const client_id = newId();
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 1 }));
  return client_id;
}
const merge = (source_client_id: string, target_client_id: string) =>
  asCaller(() =>
    ledger.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id }),
  );

test('all who became part of a person are found by one question for each generation of merges', async () => {
  const person = await newClient();
  const sources = await Promise.all(Array.from({ length: 12 }, newClient));
  const earlier = await Promise.all(Array.from({ length: 6 }, newClient));
  for (const [at, client] of earlier.entries()) await merge(client, sources[at]!);
  for (const client of sources) await merge(client, person);
  const [type] = await ledger.deps.walletTypes.list(workspace_id);
  const idOf = (client: string) => walletRef(workspace_id, client, type!).id;
  const asked = jest.spyOn(ledger.deps.entries, 'findMergesInto');
  const found = await walletsOfPerson(ledger.deps, workspace_id, person);
  expect(found[0]).toBe(idOf(person));
  expect(new Set(found)).toEqual(new Set([person, ...sources, ...earlier].map(idOf)));
  expect(found).toHaveLength(1 + sources.length + earlier.length);
  expect(asked).toHaveBeenCalledTimes(3);
});

test('entries of a person are those of all wallets, with those of merged clients where they are asked for', async () => {
  await ledger.rpc.CreateWalletType({ workspace_id, code: 'stamps', name: 'Stamps' });
  const [person, source] = [await newClient(), await newClient()];
  const stamp = { workspace_id, client_id: source, amount: 2, wallet_type_code: 'stamps' };
  await asCaller(() => ledger.rpc.EarnPoints(stamp));
  await merge(source, person);
  const list = async (with_merged: boolean) => {
    const page = { workspace_id, client_id: person, limit: 100, offset: 0, with_merged };
    const { entries } = await ledger.rpc.ListEntries(page);
    return entries
      .filter(({ type }) => type === 'earn')
      .map((entry) => [entry.client_id, entry.wallet_type_code, entry.amount]);
  };
  expect(await list(false)).toEqual([[person, 'points', 1]]);
  expect(await list(true)).toEqual([
    [source, 'stamps', 2],
    [source, 'points', 1],
    [person, 'points', 1],
  ]);
});
