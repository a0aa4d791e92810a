import { newId } from '@laurel/lifecycle';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import type { EntryDocument, WalletDocument, WalletLotsDocument } from './documents';

let bench: TestLedger;
beforeAll(async () => {
  bench = await testLedger();
});
afterAll(() => bench.drop());

/** More lots than a snapshot holds itself. */
const LOTS = 40;

/** A wallet with its lots kept apart, as its snapshot and its lots stood after each of two steps. */
async function largeWallet() {
  const workspace_id = await testWorkspace(bench);
  const client_id = newId();
  const earn = () => asCaller(() => bench.rpc.EarnPoints({ workspace_id, client_id, amount: 1 }));
  for (let count = 0; count < LOTS; count += 1) await earn();
  const wallets = bench.connection.collection<WalletDocument>('wallets');
  const lots = bench.connection.collection<WalletLotsDocument>('wallet_lots');
  const stand = async () => {
    await bench.deps.snapshots.settled();
    return {
      wallet: (await wallets.findOne({ workspace_id }))!,
      lots: (await lots.findOne({ workspace_id }))!,
    };
  };
  const before = await stand();
  let after = before;
  // Lots are written now and then only: until they stand at the very end of the log.
  while (after.lots.sequence <= LOTS || after.lots.sequence < after.wallet.sequence) {
    await earn();
    after = await stand();
  }
  const spend = async (ledger: TestLedger) =>
    (await asCaller(() => ledger.rpc.SpendPoints({ workspace_id, client_id, amount: LOTS })))
      .entry!;
  const lastHash = async () => {
    const entries = bench.connection.collection<EntryDocument>('entries');
    return (await entries.findOne({ workspace_id }, { sort: { _id: -1 } }))!.hash;
  };
  return { workspace_id, wallets, lots, before, after, spend, lastHash };
}

test.each([
  ['newer', 'wallets'],
  ['older', 'lots'],
] as const)(
  'lots that are %s than their snapshot do not lead a wallet astray',
  async (_, stale) => {
    const scene = await largeWallet();
    const { before, after, workspace_id } = scene;
    expect(after.wallet.lots).toBeNull();
    // What another replica finds that reads the two while they are being written.
    if (stale === 'wallets') await scene.wallets.replaceOne({ workspace_id }, before.wallet);
    else await scene.lots.replaceOne({ workspace_id }, before.lots);
    const previous = await scene.lastHash();
    const spent = await scene.spend(await bench.replica());
    const earned = after.wallet.sequence;
    expect(spent).toMatchObject({
      sequence: earned + 1,
      balance_after: earned - LOTS,
      prev_hash: previous,
    });
    expect(await bench.rpc.VerifyLedger({ workspace_id })).toMatchObject({ problems: [] });
  },
);
