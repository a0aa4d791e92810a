import { newId } from '@laurel/lifecycle';
import { answersAbout } from '../testing/answers';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { walkLogs } from './walk';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

/** As much as a caller may write on an entry. */
const metadata = { note: 'x'.repeat(19_900) };

async function workspaceWith(wallets: number, entriesOfEach: number) {
  const workspace_id = await testWorkspace(ledger);
  const clients = Array.from({ length: wallets }, newId);
  for (let time = 0; time < entriesOfEach; time += 1)
    await asCaller(() =>
      ledger.rpc.BatchPoints({
        workspace_id,
        operations: clients.map((client_id) => ({
          earn: { workspace_id, client_id, amount: 1, metadata },
        })),
      }),
    );
  await ledger.deps.log.drained();
  return { workspace_id, clients };
}

/** The entries among what the store answered; which wallets have some that wait is asked for, too, without any of them. */
const entriesIn = (answers: readonly object[][]) =>
  answers.map((rows) => rows.filter((row) => 'hash' in row).length);

test('an export reads no more of the log than a few hundred entries ahead, however many wallets there are and whatever was written on them', async () => {
  const { workspace_id } = await workspaceWith(30, 25);
  const answers = answersAbout(ledger.connection, 'entries');
  let given = 0;
  let chars = 0;
  for await (const { lines } of ledger.rpc.ExportEntries({ workspace_id })) {
    given += lines.length;
    chars = Math.max(chars, lines.join().length);
    const read = entriesIn(answers).reduce((sum, count) => sum + count, 0);
    expect(read - given).toBeLessThanOrEqual(400);
  }
  expect(given).toBe(750);
  expect(chars).toBeLessThan(400_000);
});

test('a verification reads no more of the log at once than a few hundred entries', async () => {
  const { workspace_id } = await workspaceWith(30, 15);
  const answers = answersAbout(ledger.connection, 'entries');
  const found = await ledger.rpc.VerifyLedger({ workspace_id });
  expect(found).toMatchObject({ valid: true, wallets_checked: 30, entries_checked: 450 });
  expect(Math.max(...entriesIn(answers))).toBeLessThanOrEqual(200);
});

test('every wallet comes once and in order with all of its entries, however few ids are read at a time', async () => {
  const { workspace_id, clients } = await workspaceWith(9, 3);
  const { entries, wallets } = ledger.deps;
  // As if the first entries of some were not relayed yet.
  const known = await wallets.idsWithin(
    { workspaceId: workspace_id },
    { after: '', through: null },
  );
  const lagging = known.toSorted().filter((_, at) => at % 4 === 0);
  await entries.collection.updateMany(
    { wallet_id: { $in: lagging } },
    { $set: { unrelayed: true } },
  );
  await wallets.collection.deleteMany({ _id: { $in: lagging } });
  const [type] = await ledger.deps.walletTypes.list(workspace_id);
  const scopes = [
    { scope: {}, count: 9 },
    { scope: { walletTypeId: type!._id }, count: 9 },
    { scope: { clientId: clients[0]! }, count: 1 },
    { scope: { walletTypeId: newId() }, count: 0 },
  ];
  for (const { scope, count } of scopes) {
    const steps: string[] = [];
    const asked = { workspaceId: workspace_id, ...scope };
    for await (const { walletId, entry } of walkLogs(ledger.deps, asked, 2))
      steps.push(`${walletId} ${entry?.sequence ?? 'end'}`);
    const walked = [...new Set(steps.map((step) => step.split(' ')[0]!))];
    expect(walked).toEqual(walked.toSorted());
    expect(walked).toHaveLength(count);
    expect(steps).toEqual(walked.flatMap((id) => [`${id} 1`, `${id} 2`, `${id} 3`, `${id} end`]));
  }
});
