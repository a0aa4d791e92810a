import { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { ledger as messages } from '@laurel/rpc';
import {
  asCaller,
  fakeStandings,
  logOf,
  type TestLedger,
  testLedger,
  testWorkspace,
} from '../testing/ledger';

let ledger: TestLedger;
let other: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
  other = await ledger.replica();
});
afterAll(async () => {
  await other.deps.log.drained();
  await ledger.drop();
});

function gate() {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

const replicaOf = (index: number): TestLedger => (index % 2 === 0 ? ledger : other);

async function walletOf(workspace_id: string, client_id: string): Promise<messages.Wallet> {
  const { wallets } = await ledger.rpc.GetBalances({ workspace_id, client_id });
  return wallets[0]!.wallet!;
}

async function verified(workspace_id: string): Promise<void> {
  expect(await ledger.rpc.VerifyLedger({ workspace_id })).toMatchObject({ problems: [] });
}

describe('two processes on one ledger', () => {
  test('200 spends of 10 on 1000 over both: exactly 100 succeed, no sequence is skipped or doubled', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 1_000 }));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        asCaller(() => replicaOf(index).rpc.SpendPoints({ workspace_id, client_id, amount: 10 })),
      ),
    );
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.filter((reason) => !(reason instanceof Refusal))).toEqual([]);
    expect(refused.map((reason: Refusal) => reason.code)).toEqual(
      Array.from({ length: 100 }, () => 'INVALID_PAYLOAD'),
    );
    const { id } = await walletOf(workspace_id, client_id);
    const entries = await logOf(ledger, workspace_id, id);
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 101 }, (_, index) => index + 1),
    );
    await verified(workspace_id);
  });

  test('a no rests on the log itself: what one process earned the other can spend at once', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    const request = { workspace_id, client_id, amount: 5 };
    const spend = () => asCaller(() => ledger.rpc.SpendPoints(request));
    await asCaller(() => ledger.rpc.EarnPoints(request));
    await spend();
    for (let round = 0; round < 5; round += 1) {
      // This process remembers a balance of 0; only the log knows better.
      await asCaller(() => other.rpc.EarnPoints(request));
      await spend();
    }
    await expect(spend()).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    expect(await walletOf(workspace_id, client_id)).toMatchObject({
      active_balance: 0,
      total_spent: 30,
    });
  });

  test('one operation sent to both at once takes effect once', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    const operation_id = `redemption:${newId()}`;
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 10 }));
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        asCaller(() =>
          replicaOf(index).rpc.SpendPoints({ workspace_id, client_id, amount: 10, operation_id }),
        ),
      ),
    );
    expect(new Set(replies.map(({ entry }) => entry!.id)).size).toBe(1);
    expect((await walletOf(workspace_id, client_id)).active_balance).toBe(0);
  });

  test('transfers to and fro between two clients neither deadlock nor make points', async () => {
    const workspace_id = await testWorkspace(ledger);
    const clients = [newId(), newId()];
    for (const client_id of clients)
      await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 50 }));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        asCaller(() =>
          replicaOf(index >> 1).rpc.TransferPoints({
            workspace_id,
            from_client_id: clients[index % 2]!,
            to_client_id: clients[(index + 1) % 2]!,
            amount: 7,
          }),
        ),
      ),
    );
    const faults = outcomes.flatMap((one) =>
      one.status === 'rejected' && !(one.reason instanceof Refusal) ? [one.reason] : [],
    );
    expect(faults).toEqual([]);
    const [a, b] = await Promise.all(clients.map((client) => walletOf(workspace_id, client)));
    expect(a!.active_balance + b!.active_balance).toBe(100);
    await verified(workspace_id);
  });

  test('20 transfers of 10 to a wallet capped at 100: exactly 10 fit', async () => {
    const workspace_id = await testWorkspace(ledger, { max_balance: 100 });
    const to_client_id = newId();
    const givers = Array.from({ length: 20 }, newId);
    await Promise.all(
      givers.map((client_id) =>
        asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 10 })),
      ),
    );
    const outcomes = await Promise.allSettled(
      givers.map((from_client_id, index) =>
        asCaller(() =>
          replicaOf(index).rpc.TransferPoints({
            workspace_id,
            from_client_id,
            to_client_id,
            amount: 10,
          }),
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await walletOf(workspace_id, to_client_id)).active_balance).toBe(100);
  });

  test('a merge under fire loses nothing: what is not refused ends with the target', async () => {
    const workspace_id = await testWorkspace(ledger);
    const [source_client_id, target_client_id] = [newId(), newId()];
    const earn = (client_id: string, index: number) =>
      asCaller(() => replicaOf(index).rpc.EarnPoints({ workspace_id, client_id, amount: 1 }));
    await earn(source_client_id, 0);
    const merge = () =>
      asCaller(() =>
        other.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id }),
      );
    const [outcomes] = await Promise.all([
      Promise.allSettled(
        Array.from({ length: 60 }, (_, index) =>
          earn(index % 3 === 0 ? target_client_id : source_client_id, index),
        ),
      ),
      merge(),
    ]);
    const earned = outcomes.filter(({ status }) => status === 'fulfilled').length + 1;
    expect(await walletOf(workspace_id, source_client_id)).toMatchObject({ active_balance: 0 });
    expect(await walletOf(workspace_id, target_client_id)).toMatchObject({
      active_balance: earned,
      total_earned: earned,
    });
    await verified(workspace_id);
  });

  test('of wallet types that are made the default at once, where none is yet, one is, and no request fails', async () => {
    const workspace_id = newId();
    const types = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((code) =>
        ledger.rpc.CreateWalletType({ workspace_id, code, name: code, active: false }),
      ),
    );
    const changed = await Promise.all(
      types.map(({ id }, index) => {
        const change = { workspace_id, id, active: true, is_default: true };
        return asCaller(() => replicaOf(index).rpc.UpdateWalletType(change));
      }),
    );
    expect(changed.map(({ is_default }) => is_default)).toEqual(types.map(() => true));
    const { wallet_types } = await ledger.rpc.ListWalletTypes({ workspace_id });
    expect(wallet_types.filter(({ is_default }) => is_default)).toHaveLength(1);
  });

  test('a wallet type that is deleted while its first points are on their way takes none', async () => {
    const standing = gate();
    const slow = await ledger.replica({
      standings: { ...fakeStandings(), of: () => standing.passed.then(() => 'active') },
    });
    const workspace_id = await testWorkspace(ledger);
    const type = await ledger.rpc.CreateWalletType({
      workspace_id,
      code: 'stamps',
      name: 'Stamps',
    });
    const request = { workspace_id, client_id: newId(), amount: 5, wallet_type_code: 'stamps' };
    const earned = asCaller(() => slow.rpc.EarnPoints(request));
    await asCaller(() => ledger.rpc.DeleteWalletType({ workspace_id, id: type.id }));
    standing.open();
    await expect(earned).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  });

  test('a wallet type whose first points are about to be written stays, and goes once none came of it', async () => {
    const workspace_id = await testWorkspace(ledger);
    const { id } = await ledger.rpc.CreateWalletType({ workspace_id, code: 'stamps', name: 'S' });
    const named = { workspaceId: workspace_id, walletTypeId: id };
    await ledger.deps.walletTypes.noteUse(named, new Date());
    const remove = (by: TestLedger) =>
      asCaller(() => by.rpc.DeleteWalletType({ workspace_id, id }));
    await expect(remove(other)).rejects.toMatchObject({ code: 'CONFLICT' });
    await remove(await ledger.replica({ now: () => Date.now() + 3_600_000 }));
    expect(await ledger.deps.walletTypes.find(workspace_id, id)).toBeNull();
  });
});
