import { newId } from '@laurel/lifecycle';
import { createRelaySource } from '../store/relay-source';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

let ledger: TestLedger;
let workspaceId: string;

beforeAll(async () => {
  ledger = await testLedger();
  workspaceId = await testWorkspace(ledger);
});
afterAll(() => ledger.drop());

async function balanceOf(clientId: string) {
  const { wallets } = await ledger.rpc.GetWallets({
    workspace_id: workspaceId,
    client_id: clientId,
  });
  return wallets[0]!.wallet!;
}
const earn = (clientId: string, amount: number, more: object = {}) =>
  asCaller(() =>
    ledger.rpc.EarnPoints({ workspace_id: workspaceId, client_id: clientId, amount, ...more }),
  );
const spend = (clientId: string, amount: number, more: object = {}) =>
  asCaller(() =>
    ledger.rpc.SpendPoints({ workspace_id: workspaceId, client_id: clientId, amount, ...more }),
  );

describe('the ledger on the real store', () => {
  test('the wallets of a client name the codes of types that are switched off', async () => {
    const workspace_id = await testWorkspace(ledger);
    await ledger.rpc.CreateWalletType({ workspace_id, code: 'old', name: 'Old', active: false });
    const client = { workspace_id, client_id: newId() };
    const at = new Date().toISOString();
    for (const reply of [
      await ledger.rpc.GetBalances(client),
      await ledger.rpc.GetWallets(client),
      await ledger.rpc.GetWallets({ ...client, at }),
    ]) {
      expect(reply.inactive_codes).toEqual(['old']);
      expect(reply.wallets.map(({ wallet_type }) => wallet_type!.active)).toEqual([true]);
    }
  });

  test('an earn is in the balance and in the list as soon as it is answered', async () => {
    const client = newId();
    const { entry } = await earn(client, 100.5, { metadata: { order: 7 } });
    expect(entry).toMatchObject({ type: 'earn', amount: 100.5, balance_after: 100.5, sequence: 1 });
    expect(await balanceOf(client)).toMatchObject({ active_balance: 100.5, total_earned: 100.5 });
    const page = await ledger.rpc.ListClientEntries({
      workspace_id: workspaceId,
      client_id: client,
      limit: 10,
      offset: 0,
    });
    expect(page.entries.map(({ id }) => id)).toEqual([entry!.id]);
    expect(page.total_count).toBe(1);
  });

  test('the heads of many wallets tell their balances and newest entries, without empty ones', async () => {
    const [client, other, idle] = [newId(), newId(), newId()];
    await earn(client, 100.5);
    await spend(client, 0.5);
    await earn(other, 7);
    const { heads } = await ledger.rpc.ListWalletHeads({
      workspace_id: workspaceId,
      client_ids: [client, other, idle],
    });
    const standing = { wallet_type_code: expect.any(String), pending_balance: 0 };
    expect(heads).toEqual([
      {
        client_id: client,
        ...standing,
        active_balance: 100,
        total_earned: 100.5,
        total_spent: 0.5,
        sequence: 2,
      },
      {
        client_id: other,
        ...standing,
        active_balance: 7,
        total_earned: 7,
        total_spent: 0,
        sequence: 1,
      },
    ]);
  });

  test('the balances of many clients are those of each, empty ones among them, before and after the relay', async () => {
    const clients = [newId(), newId(), newId()] as const;
    await earn(clients[0], 100.5);
    await spend(clients[0], 0.5);
    await earn(clients[2], 7);
    const asOne = async (client_id: string) =>
      (await ledger.rpc.GetBalances({ workspace_id: workspaceId, client_id })).wallets;
    const asMany = async () => {
      const request = { workspace_id: workspaceId, client_ids: [...clients] };
      const { wallet_types: types, clients: found } = await ledger.rpc.ListBalances(request);
      return found.map(({ client_id, wallets }) => [
        client_id,
        types.map((wallet_type, at) => ({ wallet: wallets[at], wallet_type })),
      ]);
    };
    const wanted = await Promise.all(clients.map(async (id) => [id, await asOne(id)]));
    expect(await asMany()).toEqual(wanted);
    const source = createRelaySource(ledger.deps);
    const claimed = await source.claim(500, 20_000);
    if (claimed === 'not ours') throw new Error('somebody else relays');
    await source.markPublished(claimed.map(({ key }) => key));
    const lagging = { unrelayed: true as const, client_id: { $in: [...clients] } };
    expect(await ledger.deps.entries.collection.countDocuments(lagging)).toBe(0);
    expect(await asMany()).toEqual(wanted);
    expect(await asMany()).toMatchObject([
      [clients[0], [{ wallet: { active_balance: 100 } }]],
      [clients[1], [{ wallet: { active_balance: 0 } }]],
      [clients[2], [{ wallet: { active_balance: 7 } }]],
    ]);
  });

  test('0.1 earned ten times is exactly 1', async () => {
    const client = newId();
    for (let time = 0; time < 10; time += 1) await earn(client, 0.1);
    expect((await balanceOf(client)).active_balance).toBe(1);
  });

  test('200 spends of 10 at once on a balance of 1000: exactly 100 succeed', async () => {
    const client = newId();
    await earn(client, 1_000);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => spend(client, 10)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    expect(await balanceOf(client)).toMatchObject({ active_balance: 0, total_spent: 1_000 });
  });

  test('the same operation takes effect once and is answered with its first entry', async () => {
    const client = newId();
    const work = () =>
      ledger.rpc.EarnPoints({ workspace_id: workspaceId, client_id: client, amount: 5 });
    const operation = newId();
    const [first, second] = [await asCaller(work, operation), await asCaller(work, operation)];
    expect(second.entry!.id).toBe(first.entry!.id);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect((await balanceOf(client)).active_balance).toBe(5);
  });

  test('an external_id earns once; with another amount it is a conflict', async () => {
    const client = newId();
    const external = { external_id: 'order-1' };
    const all = await Promise.all(Array.from({ length: 20 }, () => earn(client, 5, external)));
    expect(new Set(all.map(({ entry }) => entry!.id)).size).toBe(1);
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    await expect(earn(client, 6, external)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await balanceOf(client)).active_balance).toBe(5);
  });

  test('a transfer moves points, both sides or none, and totals add up', async () => {
    const [from, to] = [newId(), newId()];
    await earn(from, 100);
    const transfer = (amount: number) =>
      asCaller(() =>
        ledger.rpc.TransferPoints({
          workspace_id: workspaceId,
          from_client_id: from,
          to_client_id: to,
          amount,
        }),
      );
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => transfer(10)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await balanceOf(from)).active_balance).toBe(0);
    expect((await balanceOf(to)).active_balance).toBe(100);
  });

  test('lock, capture part: the rest is released in the same breath', async () => {
    const client = newId();
    await earn(client, 100);
    const { entry } = await asCaller(() =>
      ledger.rpc.LockPoints({ workspace_id: workspaceId, client_id: client, amount: 60 }),
    );
    expect(await balanceOf(client)).toMatchObject({ active_balance: 40, locked_balance: 60 });
    const captured = await asCaller(() =>
      ledger.rpc.CaptureLock({ workspace_id: workspaceId, entry_id: entry!.id, amount: 25 }),
    );
    expect(captured.entry).toMatchObject({ type: 'spend', amount: -25 });
    expect(await balanceOf(client)).toMatchObject({
      active_balance: 75,
      locked_balance: 0,
      total_spent: 25,
    });
    await expect(
      asCaller(() => ledger.rpc.ReleaseLock({ workspace_id: workspaceId, entry_id: entry!.id })),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('of cancels of one spend at once, one refunds and the others conflict', async () => {
    const client = newId();
    await earn(client, 100);
    const { entry } = await spend(client, 30);
    const cancel = () =>
      asCaller(() =>
        ledger.rpc.CancelEntry({
          workspace_id: workspaceId,
          entry_id: entry!.id,
          reason: 'returned',
        }),
      );
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, cancel));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(client)).toMatchObject({ active_balance: 100, total_spent: 0 });
    const shown = await ledger.rpc.GetEntry({ workspace_id: workspaceId, id: entry!.id });
    expect(shown.status).toBe('cancelled');
  });

  test('after all of that the whole ledger verifies', async () => {
    const verified = await ledger.rpc.VerifyLedger({ workspace_id: workspaceId });
    expect(verified).toMatchObject({ valid: true, problems: [] });
    expect(verified.entries_checked).toBeGreaterThan(100);
  });
});
