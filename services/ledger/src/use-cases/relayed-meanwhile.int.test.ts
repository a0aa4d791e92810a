import { newId } from '@laurel/lifecycle';
import type { WalletDocument } from '../store/documents';
import { walkLogs } from '../store/walk';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { createWalletType } from './create-wallet-type';
import { deleteWalletType } from './delete-wallet-type';

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await testLedger();
});
afterEach(() => ledger.drop());

/** A wallet whose only entry waits for its relay, and what the relay does: the snapshot first, then the mark. */
async function waiting(workspace_id: string, wallet_type_code: string) {
  const { deps, rpc } = ledger;
  const request = { workspace_id, client_id: newId(), amount: 5, wallet_type_code };
  const { entry } = await asCaller(() => rpc.EarnPoints(request));
  await deps.log.drained();
  const snapshot = await deps.wallets.collection.findOneAndDelete({ workspace_id });
  return {
    entryId: entry!.id,
    relay: async () => {
      await deps.wallets.collection.insertOne(snapshot as WalletDocument);
      const mark = { $unset: { unrelayed: '' as const } };
      await deps.entries.collection.updateMany({ workspace_id }, mark);
    },
  };
}

test('exports and verifications know a wallet whose first entry is relayed while they look for wallets', async () => {
  const workspaceId = await testWorkspace(ledger);
  const { entryId, relay } = await waiting(workspaceId, 'points');
  let looked = false;
  const relayedBeforeTheSecond =
    <Asked extends unknown[]>(look: (...asked: Asked) => Promise<string[]>) =>
    async (...asked: Asked): Promise<string[]> => {
      if (looked) await relay();
      looked = true;
      return look(...asked);
    };
  const { entries, wallets } = ledger.deps;
  const stores = {
    entries: { ...entries, unrelayedWithin: relayedBeforeTheSecond(entries.unrelayedWithin) },
    wallets: { ...wallets, idsWithin: relayedBeforeTheSecond(wallets.idsWithin) },
  };
  const found: string[] = [];
  for await (const { entry } of walkLogs(stores, { workspaceId })) if (entry) found.push(entry._id);
  expect(found).toEqual([entryId]);
});

test('a wallet type stays whose only entry is relayed while it is looked whether it has one', async () => {
  const workspace_id = await testWorkspace(ledger);
  const { rpc, deps } = ledger;
  const { id } = await rpc.CreateWalletType({ workspace_id, code: 'stars', name: 'Stars' });
  const { relay } = await waiting(workspace_id, 'stars');
  let looked = false;
  const relayedBeforeTheSecond =
    <Asked extends unknown[]>(look: (...asked: Asked) => Promise<boolean>) =>
    async (...asked: Asked): Promise<boolean> => {
      if (looked) await relay();
      looked = true;
      return look(...asked);
    };
  const { entries, wallets } = deps;
  const among = {
    ...deps,
    entries: {
      ...entries,
      anyUnrelayedOfType: relayedBeforeTheSecond(entries.anyUnrelayedOfType),
    },
    wallets: { ...wallets, anyOfType: relayedBeforeTheSecond(wallets.anyOfType) },
  };
  await expect(deleteWalletType(among, { workspace_id, id })).rejects.toMatchObject({
    httpStatus: 409,
  });
  expect(await deps.walletTypes.find(workspace_id, id)).not.toBeNull();
});

test('of two wallet types that a workspace gets first, at once, one is the default', async () => {
  const workspace_id = newId();
  const { deps } = ledger;
  const make = (code: string, among = deps) =>
    createWalletType(among, { workspace_id, code, name: code });
  let isFirst = true;
  const walletTypes = {
    ...deps.walletTypes,
    hasDefault: async (...asked: Parameters<typeof deps.walletTypes.hasDefault>) => {
      const found = await deps.walletTypes.hasDefault(...asked);
      if (isFirst) {
        isFirst = false;
        await make('stars');
      }
      return found;
    },
  };
  await make('points', { ...deps, walletTypes });
  const types = await deps.walletTypes.list(workspace_id);
  expect(types.map(({ code, is_default }) => [code, is_default])).toEqual([
    ['stars', true],
    ['points', false],
  ]);
});
