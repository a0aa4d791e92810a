import type { Json } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

interface Held {
  wallets: { wallet_type_code: string; active_balance: number }[];
  ledger_entries: { sequence: number; client_id: string; metadata: Json }[];
}

test('a person is given every entry of theirs, and of whom they took the place of, in pieces that a message holds', async () => {
  const workspace_id = await testWorkspace(ledger);
  const [client_id, merged] = [newId(), newId()];
  const metadata = { note: 'x'.repeat(19_900) };
  const earn = (client: string) =>
    asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id: client, amount: 1, metadata }));
  for (let time = 0; time < 30; time += 1) await earn(client_id);
  await earn(merged);
  await earn(newId());
  await asCaller(() =>
    ledger.rpc.MergeClientWallets({
      workspace_id,
      source_client_id: merged,
      target_client_id: client_id,
    }),
  );
  const pieces: string[] = [];
  for await (const { text } of ledger.rpc.StreamClientExport({ workspace_id, client_id }))
    pieces.push(text);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(100_000);
  const held = JSON.parse(pieces.join('')) as Held;
  expect(held.wallets).toMatchObject([{ wallet_type_code: 'points', active_balance: 31 }]);
  const own = held.ledger_entries.filter((entry) => entry.client_id === client_id);
  expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, at) => at + 1));
  expect(
    own.filter((entry) => JSON.stringify(entry.metadata) === JSON.stringify(metadata)),
  ).toHaveLength(30);
  expect(new Set(held.ledger_entries.map((entry) => entry.client_id))).toEqual(
    new Set([client_id, merged]),
  );
  // Replicas of the release before ask for all of it at once.
  const { data } = await ledger.rpc.ExportClient({ workspace_id, client_id });
  expect(data).toEqual(held);
});
