import { newId } from '@laurel/lifecycle';
import { answersAbout } from '../testing/answers';
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

/** As much as a caller may write on an entry, and a wallet of so many entries of which no lots are written down. */
const LONG = 2_400;
async function longWallet() {
  const workspace_id = await testWorkspace(bench);
  const client_id = newId();
  const metadata = { note: 'x'.repeat(500) };
  const earn = { workspace_id, client_id, amount: 1, expiry_days: 30, metadata };
  const operations = Array.from({ length: LONG / 4 }, () => ({ earn }));
  for (let time = 0; time < 4; time += 1)
    await asCaller(() => bench.rpc.BatchPoints({ workspace_id, operations }));
  await bench.deps.log.drained();
  await bench.connection.collection<WalletLotsDocument>('wallet_lots').deleteMany({ workspace_id });
  const stored = await bench.deps.wallets.collection.findOne({ workspace_id });
  const { wallet_type_id: walletTypeId, wallet_type_code: walletTypeCode, _id: id } = stored!;
  return {
    client: { workspace_id, client_id },
    ref: { id, workspaceId: workspace_id, clientId: client_id, walletTypeId, walletTypeCode },
  };
}
const rowsOf = (answers: readonly object[][]) =>
  answers.reduce((sum, rows) => sum + rows.length, 0);

test('a wallet of very many lots is read from its log once, a few hundred entries at a time and without what was written on them', async () => {
  const { client, ref } = await longWallet();
  const { deps, rpc } = await bench.replica();
  const answers = answersAbout(bench.connection, 'entries');
  const { wallet } = (await deps.heads.proven([ref])).get(ref.id)!;
  expect(wallet.lots).toHaveLength(LONG);
  expect(rowsOf(answers)).toBe(LONG);
  expect(Math.max(...answers.map((rows) => rows.length))).toBeLessThanOrEqual(200);
  expect(answers.flat().filter((row) => 'note' in row || 'cause' in row)).toEqual([]);
  // Another process writes meanwhile.
  await asCaller(() => bench.rpc.EarnPoints({ ...client, amount: 2 }));
  answers.length = 0;
  const { days } = await rpc.ListExpiring({ ...client, within_days: 60 });
  expect(days.reduce((sum, { amount }) => sum + amount, 0)).toBe(LONG);
  expect((await deps.heads.proven([ref])).get(ref.id)!.wallet.lots).toHaveLength(LONG + 1);
  expect(rowsOf(answers)).toBeLessThanOrEqual(5);
});

test.each(['the lots of its snapshot are newer', 'its lots are nowhere'])(
  'what others wrote in a wallet that was not looked at for a while is read a few hundred entries at a time: %s',
  async (where) => {
    const workspace_id = await testWorkspace(bench);
    const client_id = newId();
    const earn = { workspace_id, client_id, amount: 1, expiry_days: 30 };
    await asCaller(() => bench.rpc.EarnPoints(earn));
    await bench.deps.snapshots.settled();
    const stored = await bench.deps.wallets.collection.findOne({ workspace_id });
    const { wallet_type_id: walletTypeId, wallet_type_code: walletTypeCode, _id: id } = stored!;
    const ref = {
      id,
      workspaceId: workspace_id,
      clientId: client_id,
      walletTypeId,
      walletTypeCode,
    };
    const { entries, wallets } = bench.deps;
    const heads = createHeads({ entries, wallets, forgottenMs: 0 });
    expect((await heads.proven([ref])).get(id)!.wallet.sequence).toBe(1);
    const operations = Array.from({ length: LONG / 4 }, () => ({ earn }));
    for (let time = 0; time < 4; time += 1)
      await asCaller(() => bench.rpc.BatchPoints({ workspace_id, operations }));
    await bench.deps.log.drained();
    await bench.deps.snapshots.settled();
    const areNowhere = where === 'its lots are nowhere';
    const lots = bench.connection.collection<WalletLotsDocument>('wallet_lots');
    if (areNowhere) await lots.deleteMany({ workspace_id });
    const answers = answersAbout(bench.connection, 'entries');
    const { wallet } = (await heads.proven([ref])).get(id)!;
    expect([wallet.sequence, wallet.lots.length]).toEqual([LONG + 1, LONG + 1]);
    expect(Math.max(...answers.map((rows) => rows.length))).toBeLessThanOrEqual(200);
    expect(rowsOf(answers) < LONG).toBe(!areNowhere);
  },
);

test('balances are read from figures alone: of the log no more is read than the snapshot does not know, and no lots', async () => {
  const { client, ref } = await longWallet();
  const { rpc, deps } = await bench.replica();
  // As if the snapshot stood two entries behind the log.
  const log = bench.connection.collection<EntryDocument>('entries');
  const before = await log.findOne({ wallet_id: ref.id, sequence: LONG - 2 });
  await deps.wallets.collection.updateOne(
    { _id: ref.id },
    { $set: { sequence: LONG - 2, figures: before!.after, hash: before!.hash } },
  );
  const [entries, lots] = ['entries', 'wallet_lots'].map((name) =>
    answersAbout(bench.connection, name),
  ) as [Record<string, unknown>[][], object[][]];
  const balance = { active_balance: LONG };
  const { wallets } = await rpc.GetBalances(client);
  expect(wallets.map(({ wallet }) => wallet)).toMatchObject([balance]);
  expect((await rpc.GetWallets(client)).wallets).toEqual(wallets);
  const [listed] = (
    await rpc.ListBalances({ workspace_id: ref.workspaceId, client_ids: [ref.clientId] })
  ).clients;
  expect(listed!.wallets).toMatchObject([balance]);
  const { heads } = await rpc.ListWalletHeads({
    workspace_id: ref.workspaceId,
    client_ids: [ref.clientId],
  });
  expect(heads).toMatchObject([{ ...balance, sequence: LONG }]);
  expect(await rpc.SummarizePoints({ workspace_id: ref.workspaceId })).toMatchObject({
    active_liability: LONG,
  });
  expect(lots).toEqual([]);
  const read = entries.flat().filter((row) => 'sequence' in row);
  expect(new Set(read.map(({ sequence }) => sequence))).toEqual(new Set([LONG - 1, LONG]));
  expect(read.filter((row) => 'note' in row || 'lots' in row)).toEqual([]);
});

test('a head is remembered as long as the log holds it: what took its place is found', async () => {
  const { refs, clients } = await walletsWith([3]);
  const { entries, wallets } = bench.deps;
  const heads = createHeads({ entries, wallets });
  const [ref] = refs;
  const { hash } = (await heads.proven(refs)).get(ref!.id)!;
  // As after a restore to a moment before, since which something else has happened.
  const last = { wallet_id: ref!.id, sequence: 3 };
  await entries.collection.deleteOne(last);
  await wallets.collection.deleteOne({ _id: ref!.id });
  const restored = await bench.replica();
  const again = { workspace_id: ref!.workspaceId, client_id: clients[0]!, amount: 7 };
  await asCaller(() => restored.rpc.EarnPoints(again));
  await restored.deps.log.drained();
  const proven = (await heads.proven(refs)).get(ref!.id)!;
  expect(proven.hash).not.toBe(hash);
  expect(proven.wallet.figures.active).toBe(90_000);
});
