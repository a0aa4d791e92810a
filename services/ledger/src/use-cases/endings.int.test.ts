import { newId } from '@laurel/lifecycle';
import { testClock } from '@laurel/testing';
import {
  asCaller,
  logOf,
  settleDue,
  type TestLedger,
  testLedger,
  testWorkspace,
} from '../testing/ledger';

const DAY = 86_400_000;

const clock = testClock();
let ledger: TestLedger;
let workspace_id: string;
beforeAll(async () => {
  ledger = await testLedger({ now: () => clock.now().getTime() });
});
beforeEach(async () => {
  workspace_id = await testWorkspace(ledger);
});
afterEach(async () => {
  expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
});
afterAll(() => ledger.drop());

const earn = (client_id: string, amount: number, more: object = {}) =>
  asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount, ...more }));
const spend = (client_id: string, amount: number, more: object = {}) =>
  asCaller(() => ledger.rpc.SpendPoints({ workspace_id, client_id, amount, ...more }));
const cancel = (entry_id: string) =>
  asCaller(() => ledger.rpc.CancelEntry({ workspace_id, entry_id, reason: 'by mistake' }));
const merge = (source_client_id: string, target_client_id: string) =>
  asCaller(() =>
    ledger.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id }),
  );
const end = (client_id: string, anonymized: boolean) =>
  asCaller(() => ledger.rpc.CloseClientWallets({ workspace_id, client_id, anonymized }));

async function walletOf(client_id: string) {
  const { wallets } = await ledger.rpc.GetBalances({ workspace_id, client_id });
  return wallets[0]!.wallet!;
}

const ENDS = [
  ['deleted', false, 'client_deleted'],
  ['anonymized', true, 'client_anonymized'],
] as const;

describe('merges and endings that come in another order than they were asked for', () => {
  test('what becomes part of a client who was merged meanwhile goes to whom that one became', async () => {
    const [first, second, third] = [newId(), newId(), newId()];
    await earn(first, 10);
    await earn(second, 1);
    await merge(second, third);
    const moved = { transfer_out: { client_id: first }, transfer_in: { client_id: third } };
    expect((await merge(first, second)).transfers).toMatchObject([{ ...moved, replayed: false }]);
    expect((await merge(first, second)).transfers).toMatchObject([{ ...moved, replayed: true }]);
    expect(await walletOf(third)).toMatchObject({ active_balance: 11, total_earned: 11 });
  });

  test.each(ENDS)(
    'what becomes part of a client who was %s meanwhile ends as theirs did, words and all',
    async (_how, anonymized, source_type) => {
      const [source, target] = [newId(), newId()];
      await earn(source, 10, { description: 'for Ada' });
      await earn(target, 1);
      await end(target, anonymized);
      expect(await merge(source, target)).toEqual({ transfers: [] });
      expect(await merge(source, target)).toEqual({ transfers: [] });
      const log = await logOf(ledger, workspace_id, (await walletOf(source)).id);
      expect(log).toMatchObject([
        { type: 'earn', note: null },
        { type: 'adjust', source_type, after: { active: 0 } },
      ]);
    },
  );
});

test('what somebody wrote on a transfer goes with them, on either side of it, and what they were written stays', async () => {
  const [ada, bob] = [newId(), newId()];
  const transfer = (from_client_id: string, to_client_id: string, description: string) =>
    asCaller(() =>
      ledger.rpc.TransferPoints({
        workspace_id,
        from_client_id,
        to_client_id,
        amount: 2,
        description,
      }),
    );
  await earn(bob, 10, { description: 'for Bob' });
  await earn(ada, 10, { description: 'for Ada' });
  await transfer(ada, bob, 'from Ada, 0170 1234567');
  await transfer(bob, ada, 'from Bob');
  const notesOf = async (client: string) =>
    (await logOf(ledger, workspace_id, (await walletOf(client)).id)).map(
      ({ note }) => note?.description ?? null,
    );
  // What has become part of somebody is theirs, too.
  const heir = newId();
  await merge(ada, heir);
  await end(heir, false);
  await ledger.rpc.ScrubClient({ workspace_id, client_id: heir });
  expect(await notesOf(bob)).toEqual(['for Bob', null, 'from Bob']);
  expect((await notesOf(ada)).filter((text) => text !== null)).toEqual([]);
  // Heard of again, it changes nothing more.
  const again = await ledger.rpc.ScrubClient({ workspace_id, client_id: heir });
  expect(again).toEqual({ entries_scrubbed: 0 });
});

test('what a cancel gives back to a lot that is over ends once more, also in the wallet that it was merged into', async () => {
  const [source, target] = [newId(), newId()];
  await earn(source, 100, { expiry_days: 1 });
  const { entry } = await spend(source, 40);
  clock.advanceMs(DAY);
  await ledger.deps.log.drained();
  await settleDue(ledger.deps);
  await merge(source, target);
  await cancel(entry!.id);
  // The points end at the very place of this log at which the first of them ended in the other.
  await earn(target, 5);
  expect(await walletOf(target)).toMatchObject({ active_balance: 5, total_expired: 100 });
});

test.each(ENDS)(
  'nothing is given back to a client who was %s, though they had spent all they had',
  async (_how, anonymized, source_type) => {
    const client = newId();
    const name = `redemption:${newId()}`;
    await earn(client, 10);
    const { entry } = await spend(client, 10, { operation_id: name });
    const { entries } = await end(client, anonymized);
    expect(entries).toMatchObject([{ type: 'adjust', amount: 0, source_type }]);
    await expect(cancel(entry!.id)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    const refund = { workspace_id, spend_operation_id: name };
    expect(await asCaller(() => ledger.rpc.RefundSpend(refund))).toEqual({ replayed: false });
    expect((await end(client, anonymized)).entries).toEqual([]);
    expect((await walletOf(client)).active_balance).toBe(0);
  },
);

test('a client who never had points leaves no entry behind', async () => {
  expect((await end(newId(), false)).entries).toEqual([]);
});
