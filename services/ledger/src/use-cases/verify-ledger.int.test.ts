import { newId } from '@laurel/lifecycle';
import { bodyOf, chainHash, walletIdOf } from '../store/chain';
import type { EntryDocument } from '../store/documents';
import { asCaller, logOf, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

/** Logs are walked in the order of their wallets' ids: which side of a transfer comes first. */
type First = 'giver' | 'receiver';

async function twoClients(workspaceId: string, first: First): Promise<[string, string]> {
  const { wallet_types } = await ledger.rpc.ListWalletTypes({ workspace_id: workspaceId });
  const walletOf = (clientId: string) => walletIdOf(workspaceId, clientId, wallet_types[0]!.id);
  const [one, other] = [newId(), newId()].sort((a, b) => (walletOf(a) < walletOf(b) ? -1 : 1));
  return first === 'giver' ? [one!, other!] : [other!, one!];
}

/** A transfer whose receiving side somebody rewrites in the store, hashes and snapshot with it. */
async function forgedTransfer(first: First, forge: (arrived: EntryDocument) => void) {
  const workspace_id = await testWorkspace(ledger);
  const { rpc, deps, connection } = ledger;
  const [from_client_id, to_client_id] = await twoClients(workspace_id, first);
  await asCaller(() => rpc.EarnPoints({ workspace_id, client_id: from_client_id, amount: 50 }));
  const transfer = { workspace_id, from_client_id, to_client_id, amount: 20 };
  const { transfer_in: arrival } = await asCaller(() => rpc.TransferPoints(transfer));
  await deps.log.drained();
  expect((await rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  const walletId = arrival!.client_wallet_id;
  const [arrived] = (await logOf(ledger, workspace_id, walletId)) as [EntryDocument];
  forge(arrived);
  const hash = chainHash(arrived.prev_hash, bodyOf(arrived));
  const id = arrived._id as never;
  await connection.collection('entries').replaceOne({ _id: id }, { ...arrived, _id: id, hash });
  const snapshot = { hash, figures: arrived.after };
  const ofWallet = { _id: walletId as never, sequence: arrived.sequence };
  await connection.collection('wallets').updateOne(ofWallet, { $set: snapshot });
  return { walletId, ...(await rpc.VerifyLedger({ workspace_id })) };
}

const PROBLEM = 'the other side of the transfer is missing or has another amount';

describe.each<First>(['giver', 'receiver'])('where the %s comes first', (first) => {
  test('points that come from nowhere are found, and that others have none that came from them', async () => {
    const { walletId, valid, problems } = await forgedTransfer(first, (arrived) => {
      arrived.counterpart = null;
    });
    expect(valid).toBe(false);
    expect(problems).toHaveLength(2);
    expect(problems).toContainEqual({ client_wallet_id: walletId, sequence: 1, problem: PROBLEM });
  });

  test('points that grow on their way are found', async () => {
    const { problems } = await forgedTransfer(first, (arrived) => {
      const more = arrived.change.moved;
      arrived.amount += more;
      for (const figures of [arrived.change, arrived.after])
        Object.assign(figures, {
          active: figures.active + more,
          earned: figures.earned + more,
        });
      arrived.lots[0]!.by += more;
    });
    expect(problems.filter(({ problem }) => problem === PROBLEM)).toHaveLength(2);
  });

  test('an entry that names another client than its wallet is found', async () => {
    const { walletId, problems } = await forgedTransfer(first, (arrived) => {
      arrived.client_id = newId();
    });
    const problem = 'the entry is of another client or wallet type than its wallet';
    expect(problems).toEqual([{ client_wallet_id: walletId, sequence: 1, problem }]);
  });
});

test('what callers say beside an entry proves sound, whatever its keys are called', async () => {
  const workspace_id = await testWorkspace(ledger);
  const { rpc } = ledger;
  const metadata = { schema: { $ref: 'orders', $id: '42' }, list: [{ $id: 1, $ref: 'a.b', x: 2 }] };
  const earned = await asCaller(() =>
    rpc.EarnPoints({ workspace_id, client_id: newId(), amount: 5, metadata }),
  );
  expect(earned.entry).toMatchObject({ metadata });
  expect(await rpc.VerifyLedger({ workspace_id })).toMatchObject({ valid: true, problems: [] });
});
