import { newId } from '@laurel/lifecycle';
import { silentLogger, testClock } from '@laurel/testing';
import { AMOUNT_MAX } from '@laurel/values/amount';
import { asCaller, settleDue, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

const DAY = 86_400_000;
const MOST = AMOUNT_MAX;
const MOST_UNITS = MOST * 10_000;

let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
let workspace_id: string;
beforeEach(async () => {
  clock = testClock();
  ledger = await testLedger({ now: () => clock.now().getTime() });
  workspace_id = await testWorkspace(ledger);
});
afterEach(() => ledger.drop());

const earn = (client_id: string, amount: number, more: object = {}) =>
  asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount, ...more }));
async function walletOf(client_id: string) {
  const { wallets } = await ledger.rpc.GetBalances({ workspace_id, client_id });
  return wallets[0]!.wallet!;
}
async function expectNoRoomIn(to_client_id: string): Promise<void> {
  const from_client_id = newId();
  await earn(from_client_id, 1);
  const transfer = { workspace_id, from_client_id, to_client_id, amount: 1 };
  await expect(asCaller(() => ledger.rpc.TransferPoints(transfer))).rejects.toMatchObject({
    httpStatus: 400,
    problems: [{ field: 'amount' }],
  });
}

describe('what happens by itself always fits: nothing comes in that would leave no room for it', () => {
  test('points that come back from a hold', async () => {
    const client_id = newId();
    await earn(client_id, MOST);
    const lock = { workspace_id, client_id, amount: MOST, expires_in_seconds: 60 };
    await asCaller(() => ledger.rpc.LockPoints(lock));
    await expectNoRoomIn(client_id);
    clock.advanceMs(60_000);
    const spend = { workspace_id, client_id, amount: MOST };
    await asCaller(() => ledger.rpc.SpendPoints(spend));
  });

  test('points that mature', async () => {
    const client_id = newId();
    await earn(client_id, MOST, { pending_days: 1 });
    await expectNoRoomIn(client_id);
    clock.advanceMs(DAY);
    await ledger.deps.log.drained();
    await settleDue(ledger.deps);
    expect(await walletOf(client_id)).toMatchObject({ active_balance: MOST, pending_balance: 0 });
  });

  test('points that expire', async () => {
    const client_id = newId();
    await earn(client_id, MOST, { expiry_days: 1 });
    clock.advanceMs(DAY);
    await expectNoRoomIn(client_id);
  });
});

test('a wallet that cannot be settled keeps no other of its flight from being settled or written', async () => {
  const [stuck, ...others] = Array.from({ length: 6 }, newId) as [string, ...string[]];
  await earn(stuck, 1);
  for (const client of others) await earn(client, 1, { pending_days: 1 });
  await ledger.deps.log.drained();
  const held = { id: newId(), amount: MOST_UNITS, expires_at: 0, parts: [], outcome: 'expired' };
  await ledger.deps.wallets.collection.updateOne(
    { _id: (await walletOf(stuck)).id },
    {
      $set: {
        'figures.active': MOST_UNITS,
        'figures.locked': MOST_UNITS,
        holds: [held as never],
        next_due_at: new Date(0),
      },
    },
  );
  const warn = jest.fn();
  const restarted = await ledger.replica({ logger: { ...silentLogger, warn } as never });
  clock.advanceMs(DAY);
  await settleDue(restarted.deps);
  // It is looked at again, but not before all that is due by now.
  const waiting = await ledger.deps.wallets.collection.findOne({ client_id: stuck });
  expect(waiting!.next_due_at!.getTime()).toBeGreaterThan(clock.now().getTime());
  for (const client of others)
    expect(await walletOf(client)).toMatchObject({ active_balance: 1, pending_balance: 0 });
  const outcomes = await Promise.allSettled(
    [stuck, ...others].map((client_id) =>
      asCaller(() => restarted.rpc.EarnPoints({ workspace_id, client_id, amount: 1 })),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    ...others.map(() => 'fulfilled'),
  ]);
  expect(warn).not.toHaveBeenCalled();
  await restarted.deps.log.drained();
});
