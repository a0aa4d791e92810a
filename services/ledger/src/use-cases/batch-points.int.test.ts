import { platform } from '@laurel/errors';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import { fakeStandings, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

let bench: TestLedger;
const reachable = fakeStandings();
let unreachable: string | null = null;

beforeAll(async () => {
  const standings = {
    ...reachable,
    of: (workspaceId: string, clientId: string) =>
      clientId === unreachable
        ? Promise.reject(platform.serviceUnavailable())
        : reachable.of(workspaceId, clientId),
  };
  bench = await testLedger({ standings });
});
afterAll(() => bench.drop());
afterEach(() => {
  unreachable = null;
});

async function scene() {
  const workspaceId = await testWorkspace(bench);
  const clients = [newId(), newId()];
  const operations: ledger.BatchOperation[] = clients.map((client_id) => ({
    earn: { workspace_id: workspaceId, client_id, amount: 5 },
  }));
  const send = (operationKept: boolean, operationId: string) =>
    runInContext(systemContext({ operationId, operationKept }), () =>
      bench.rpc.BatchPoints({ workspace_id: workspaceId, operations }),
    );
  const balances = () =>
    Promise.all(
      clients.map(async (client_id) => {
        const { wallets } = await bench.rpc.GetBalances({ workspace_id: workspaceId, client_id });
        return wallets[0]?.wallet?.active_balance ?? 0;
      }),
    );
  return { clients, send, balances };
}

test('a batch under a key that meets a fault fails as a whole, and its repeat does each operation once', async () => {
  const { clients, send, balances } = await scene();
  const operationId = newId();
  unreachable = clients[1]!;
  await expect(send(true, operationId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  unreachable = null;
  const { results } = await send(true, operationId);
  expect(results.map(({ entry }) => entry?.amount)).toEqual([5, 5]);
  expect(await balances()).toEqual([5, 5]);
});

test('a batch without a key says which operation failed, for the others are done', async () => {
  const { clients, send, balances } = await scene();
  unreachable = clients[1]!;
  const { results } = await send(false, newId());
  expect(results).toMatchObject([
    { entry: { amount: 5 } },
    { error: { code: 'SERVICE_UNAVAILABLE' } },
  ]);
  expect(await balances()).toEqual([5, 0]);
});
