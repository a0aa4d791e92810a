import { newId, runInContext, standstills, systemContext } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import {
  asCaller,
  fakeStandings,
  type TestLedger,
  testLedger,
  testWorkspace,
} from '../testing/ledger';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

/** A client with points, and another who is to get some. */
async function twoClients(amount: number) {
  const workspace_id = await testWorkspace(ledger);
  const [from_client_id, to_client_id] = [newId(), newId()];
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id: from_client_id, amount }));
  const balances = async () => {
    const read = async (client_id: string) =>
      (await ledger.rpc.GetBalances({ workspace_id, client_id })).wallets[0]!.wallet!;
    const [from, to] = [await read(from_client_id), await read(to_client_id)];
    return [from.active_balance, to.active_balance];
  };
  return { workspace_id, from_client_id, to_client_id, balances };
}

const inTimeOf = <T>(deadlineAt: number, work: () => Promise<T>): Promise<T> =>
  runInContext(systemContext({ deadlineAt }), work);

test('a transfer whose caller’s time is over before its turn is not carried out', async () => {
  const { balances, ...clients } = await twoClients(10);
  let answer = (): void => {};
  const asked = new Promise<'active'>((resolve) => {
    answer = () => resolve('active');
  });
  const standings = { ...fakeStandings(), of: () => asked };
  const slow = await ledger.replica({ standings });
  const deadlineAt = Date.now() + 50;
  const late = inTimeOf(deadlineAt, () => slow.rpc.TransferPoints({ ...clients, amount: 10 }));
  await until(async () => Date.now() > deadlineAt);
  answer();
  await expect(late).rejects.toMatchObject({ httpStatus: 503 });
  expect(await balances()).toEqual([10, 0]);
});

test('a transfer that is decided on as its process stands still is not carried out after the time of its caller', async () => {
  standstills();
  const { balances, ...clients } = await twoClients(10);
  let isToStandStill = true;
  const now = (workspaceId?: string): number => {
    const end = performance.now() + (workspaceId && isToStandStill ? 4_500 : 0);
    if (workspaceId) isToStandStill = false;
    for (; performance.now() < end; );
    return Date.now();
  };
  const frozen = await ledger.replica({ now });
  const late = inTimeOf(Date.now() + 2_000, () =>
    frozen.rpc.TransferPoints({ ...clients, amount: 10 }),
  );
  await expect(late).rejects.toMatchObject({ httpStatus: 503 });
  expect(await balances()).toEqual([10, 0]);
});

test('the repeat of a transfer that another replica carries out at that very moment hears what it came to', async () => {
  const { balances, ...clients } = await twoClients(5);
  const other = await ledger.replica();
  // This process remembers that nothing is left.
  await asCaller(() => other.rpc.TransferPoints({ ...clients, amount: 5 }));
  const { workspace_id, from_client_id: client_id } = clients;
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 100 }));
  const operation = newId();
  const transfer = (by: TestLedger) =>
    asCaller(() => by.rpc.TransferPoints({ ...clients, amount: 100 }), operation);
  const { entries } = other.deps;
  const { findRepeats } = entries;
  jest.spyOn(entries, 'findRepeats').mockImplementationOnce(async (commands) => {
    const found = await findRepeats(commands);
    await transfer(ledger);
    return found;
  });
  expect(await transfer(other)).toMatchObject({ replayed: true, transfer_in: { amount: 100 } });
  expect(await balances()).toEqual([0, 105]);
});
