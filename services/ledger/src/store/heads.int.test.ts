import { newId } from '@laurel/lifecycle';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import type { EntryDocument, WalletDocument, WalletLotsDocument } from './documents';
import { createHeads } from './heads';

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

/** Wallets of a workspace with as many entries each as asked. */
async function walletsWith(lengths: readonly number[]) {
  const workspace_id = await testWorkspace(bench);
  const clients = lengths.map(() => newId());
  const earn = (client_id: string) =>
    asCaller(() => bench.rpc.EarnPoints({ workspace_id, client_id, amount: 1 }));
  for (const [at, client] of clients.entries())
    for (let count = 0; count < lengths[at]!; count += 1) await earn(client);
  await bench.deps.snapshots.settled();
  const stored = await bench.connection
    .collection<WalletDocument>('wallets')
    .find({ workspace_id })
    .toArray();
  const refs = clients.map((clientId) => {
    const { _id: id, ...wallet } = stored.find(({ client_id }) => client_id === clientId)!;
    const { wallet_type_id: walletTypeId, wallet_type_code: walletTypeCode } = wallet;
    return { id, workspaceId: workspace_id, clientId, walletTypeId, walletTypeCode };
  });
  return { refs, earn, clients };
}

test('what many wallets have beyond their snapshots is asked in one go, whatever each stands at', async () => {
  const lengths = [...Array.from({ length: 70 }, (_, at) => 1 + (at % 3)), 9, 5];
  const { refs } = await walletsWith(lengths);
  const others = await walletsWith([2]);
  // As if each snapshot stood somewhere on the way, and some were not there yet.
  const rows = bench.connection.collection<WalletDocument>('wallets');
  await rows.deleteMany({ _id: { $in: refs.filter((_, at) => at % 5 === 0).map(({ id }) => id) } });
  let questions = 0;
  const { entries, wallets } = bench.deps;
  const tails: typeof entries.tails = (...asked) => {
    questions += 1;
    return entries.tails(...asked);
  };
  const heads = createHeads({ entries: { ...entries, tails }, wallets });
  const found = await heads.proven([...refs, ...others.refs]);
  expect([...refs, ...others.refs].map(({ id }) => found.get(id)!.wallet.sequence)).toEqual([
    ...lengths,
    2,
  ]);
  expect(questions).toBe(2);
  const log = bench.connection.collection<EntryDocument>('entries');
  for (const { ref, hash, wallet } of found.values())
    expect(await log.findOne({ wallet_id: ref.id, sequence: wallet.sequence })).toMatchObject({
      hash,
    });
});

test('memory is trusted until a place is lost; then it is compared with the snapshots, so that replicas do not lose place after place', async () => {
  const { refs, earn, clients } = await walletsWith([1, 1]);
  const { entries, wallets } = bench.deps;
  const heads = createHeads({ entries, wallets, freshMs: 0 });
  const sequences = async () =>
    [...(await heads.likely(refs)).values()].map(({ wallet }) => wallet.sequence);
  expect(await sequences()).toEqual([1, 1]);
  for (const client of clients) await earn(client);
  await bench.deps.snapshots.settled();
  expect(await sequences()).toEqual([1, 1]);
  heads.overtaken(refs[0]!.id);
  expect(await sequences()).toEqual([2, 2]);
});
