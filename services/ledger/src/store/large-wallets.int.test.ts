import { newId } from '@laurel/lifecycle';
import { unitsOf } from '@laurel/values/amount';
import { earn } from '../domain/earn';
import type { Part, Wallet } from '../domain/types';
import { EMPTY_WALLET } from '../domain/wallet';
import { asCaller, logOf, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { entryId, NOTE, points, RULES } from '../testing/wallets';
import { walletRef } from '../use-cases/resolve-wallet';
import { GENESIS_HASH } from './chain';
import type { WalletRef } from './documents';
import { SETTLED_AT_ONCE } from './planner';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

/** More than a document of the store may be. */
const TOO_LONG = 'x'.repeat(17 * 1024 * 1024);

async function newWallet(): Promise<WalletRef> {
  const workspaceId = await testWorkspace(ledger);
  const [type] = await ledger.deps.walletTypes.list(workspaceId);
  return walletRef(workspaceId, newId(), type!);
}

test('an entry that the store does not take fails for no other workspace that writes at that moment', async () => {
  const wallets = await Promise.all(Array.from({ length: 12 }, newWallet));
  const outcomes = await Promise.allSettled(
    wallets.map((wallet, at) => {
      const note = { ...NOTE, description: at === 5 ? TOO_LONG : null };
      return ledger.deps.log.perform({
        wallet,
        operationId: newId(),
        decide: (state, moment) =>
          earn({ wallet: state, rules: RULES }, { ...note, amount: points(1) }, moment),
      });
    }),
  );
  const failed = outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []));
  expect(failed).toEqual([5]);
  const heads = await ledger.deps.heads.proven(wallets);
  expect(wallets.map(({ id }) => heads.get(id)!.wallet.sequence)).toEqual(
    wallets.map((_, at) => (at === 5 ? 0 : 1)),
  );
});

/** A wallet with more points on hold than a snapshot could name the lots of. */
function withLargeHolds(): Wallet {
  const part = (number: number): Part => ({
    lot: { id: entryId(number), madeAt: number, sequence: number, expiresAt: null },
    amount: unitsOf(1),
  });
  const parts = Array.from({ length: 40_000 }, (_, index) => part(index + 1));
  const holds = Array.from({ length: 4 }, (_, index) => ({
    id: entryId(1_000_000 + index),
    amount: unitsOf(parts.length),
    expiresAt: Date.now() + 60_000,
    parts,
    outcome: 'expired' as const,
  }));
  const locked = unitsOf(4 * parts.length);
  const figures = { ...EMPTY_WALLET.figures, locked, earned: locked };
  return { ...EMPTY_WALLET, sequence: 160_004, figures, holds };
}

test('points on hold that are of very many lots keep no snapshot from being written, nor those of others beside it', async () => {
  const { wallets } = ledger.deps;
  const [large, small] = [await newWallet(), await newWallet()];
  const hash = GENESIS_HASH;
  const heads = [
    { ref: large, wallet: withLargeHolds(), hash },
    { ref: small, wallet: { ...EMPTY_WALLET, sequence: 3 }, hash },
  ];
  expect(await wallets.save(heads)).toBe(true);
  const stored = await wallets.sequences([large.id, small.id]);
  expect(stored).toEqual(
    new Map([
      [large.id, 160_004],
      [small.id, 3],
    ]),
  );
});

/** A wallet with points that end in a day, in more lots than are settled at once, and five that do not end. */
async function withManyEndings(count: number) {
  const day = 86_400_000;
  let ahead = 0;
  const by = await ledger.replica({ now: () => Date.now() + ahead });
  const ref = await newWallet();
  const give = (amount: number, expiryDays?: number) =>
    by.deps.log.perform({
      wallet: ref,
      operationId: newId(),
      decide: (wallet, moment) =>
        earn({ wallet, rules: RULES }, { ...NOTE, amount: points(amount), expiryDays }, moment),
    });
  await Promise.all([give(5), ...Array.from({ length: count }, () => give(1, 1))]);
  ahead = 2 * day;
  const insertMany = jest.spyOn(by.deps.entries.collection, 'insertMany');
  const largest = () => Math.max(...insertMany.mock.calls.map(([documents]) => documents.length));
  return { by, ref, largest, client: { workspace_id: ref.workspaceId, client_id: ref.clientId } };
}

test('what ends in a wallet of very many lots is written in flights of a size, and an operation waits for all of it', async () => {
  const count = SETTLED_AT_ONCE + 300;
  const { by, ref, largest, client } = await withManyEndings(count);
  const spend = (amount: number) => asCaller(() => by.rpc.SpendPoints({ ...client, amount }));
  const outcomes = await Promise.allSettled([spend(6), spend(2)]);
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { httpStatus: 400 } },
    { value: { entry: { amount: -2, balance_after: 3 } } },
  ]);
  expect(largest()).toBeLessThanOrEqual(SETTLED_AT_ONCE);
  const log = await logOf(by, ref.workspaceId, ref.id);
  expect(log.filter(({ type }) => type === 'expire')).toHaveLength(count);
});

test('a transfer from a wallet of very many lots that end waits for all of them, too', async () => {
  const { by, largest, client } = await withManyEndings(SETTLED_AT_ONCE + 300);
  const { workspace_id, client_id: from_client_id } = client;
  const to = { workspace_id, from_client_id, to_client_id: newId() };
  const transfer = (amount: number) => asCaller(() => by.rpc.TransferPoints({ ...to, amount }));
  await expect(transfer(6)).rejects.toMatchObject({ httpStatus: 400 });
  expect(await transfer(5)).toMatchObject({ transfer_in: { amount: 5 } });
  expect(largest()).toBeLessThanOrEqual(SETTLED_AT_ONCE);
});
