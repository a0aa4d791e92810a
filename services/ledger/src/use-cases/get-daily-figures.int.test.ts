import { newId } from '@laurel/lifecycle';
import { propertySettings, until } from '@laurel/testing';
import fc from 'fast-check';
import { idBefore } from '../store/id-before';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

const DAY_MS = 86_400_000;
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

/** The day on which the tests began is the last one: where midnight comes meanwhile, it goes on. */
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** A figure that takes longer than one waits for it is missing, and there the next time. */
const figuresOf = (workspace_id: string, days = 3) => {
  const day_starts = Array.from({ length: days }, (_, day) => TODAY - (days - 1 - day) * DAY_MS);
  return until(async () => {
    const { wallet_types } = await ledger.rpc.GetDailyFigures({
      workspace_id,
      day_starts,
      until: Date.now() + 1_000,
      first_day: 0,
    });
    const shown = wallet_types.flatMap((type) => type.days);
    return shown.every(({ figure }) => figure) && wallet_types;
  });
};
/** Makes the entries of a workspace look as if they were written days ago. */
async function backdate(workspaceId: string, days: number): Promise<void> {
  const { collection } = ledger.deps.entries;
  const rows = await collection.find({ workspace_id: workspaceId }).toArray();
  await collection.deleteMany({ workspace_id: workspaceId });
  await collection.insertMany(
    rows.map((row) => {
      const at = new Date(TODAY - days * DAY_MS + (row.created_at.getTime() % DAY_MS));
      return { ...row, _id: idBefore(at) + row._id.slice(13), created_at: at };
    }),
  );
}

test('points given, used and lapsed add up to what is owed, day by day, to the last decimal', async () => {
  const operation = fc.record({
    kind: fc.constantFrom('earn', 'pending', 'spend', 'adjust', 'cancel', 'lock', 'transfer'),
    tenths: fc.integer({ min: 1, max: 50 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      const workspace_id = await testWorkspace(ledger);
      const [client_id, other] = [newId(), newId()];
      let last: string | undefined;
      for (const { kind, tenths } of operations) {
        const own = { workspace_id, client_id };
        const amount = tenths / 10;
        const made = await asCaller(async () => {
          if (kind === 'earn') return ledger.rpc.EarnPoints({ ...own, amount });
          if (kind === 'pending') return ledger.rpc.EarnPoints({ ...own, amount, pending_days: 3 });
          if (kind === 'spend') return ledger.rpc.SpendPoints({ ...own, amount });
          if (kind === 'lock') return ledger.rpc.LockPoints({ ...own, amount });
          if (kind === 'adjust')
            return ledger.rpc.AdjustPoints({ ...own, amount: -amount, description: 'wrong' });
          if (kind === 'transfer') {
            const ends = { from_client_id: client_id, to_client_id: other };
            await ledger.rpc.TransferPoints({ workspace_id, ...ends, amount });
            return undefined;
          }
          if (!last) return undefined;
          const entry_id = last;
          last = undefined;
          return ledger.rpc.CancelEntry({ workspace_id, entry_id, reason: 'wrong' });
        }).catch(() => undefined);
        if (made?.entry && (kind === 'earn' || kind === 'spend')) last = made.entry.id;
      }
      const [points] = await figuresOf(workspace_id);
      const statement = await ledger.rpc.GetStatement({ workspace_id, wallet_type_code: 'points' });
      const { issued, used, expired, owed, pending } = points!.days.at(-1)!.figure!;
      expect(owed).toBe(statement.closing!.total);
      expect(pending).toBe(statement.closing!.pending);
      expect(Math.round((issued - used - expired) * 10_000)).toBe(Math.round(owed * 10_000));
    }),
    propertySettings(15),
  );
});

test('days that are over keep their figures, and what is owed carries on from day to day', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const own = { workspace_id, client_id };
  await asCaller(() => ledger.rpc.EarnPoints({ ...own, amount: 10 }));
  await asCaller(() => ledger.rpc.SpendPoints({ ...own, amount: 2.5 }));
  await ledger.deps.log.drained();
  await backdate(workspace_id, 2);
  const twoDaysAgo = { issued: 10, used: 2.5, expired: 0, owed: 7.5, pending: 0 };
  const quiet = { ...twoDaysAgo, issued: 0, used: 0 };
  const shown = async () =>
    (await figuresOf(workspace_id))
      .find(({ wallet_type_code }) => wallet_type_code === 'points')!
      .days.map(({ figure }) => figure);
  expect(await shown()).toEqual([twoDaysAgo, quiet, quiet]);
  await ledger.deps.entries.collection.deleteMany({ workspace_id });
  expect(await shown()).toEqual([twoDaysAgo, quiet, quiet]);
});

test('what an erased customer leaves behind has expired', async () => {
  const workspace_id = await testWorkspace(ledger);
  const own = { workspace_id, client_id: newId() };
  await asCaller(() => ledger.rpc.EarnPoints({ ...own, amount: 9 }));
  await ledger.rpc.CloseClientWallets({ ...own, anonymized: true });
  const [points] = await figuresOf(workspace_id);
  expect(points!.days.at(-1)!.figure).toEqual({
    issued: 9,
    used: 0,
    expired: 9,
    owed: 0,
    pending: 0,
  });
});

test('a debt that is written off hides nothing that lapsed that day', async () => {
  const workspace_id = await testWorkspace(ledger, { allow_negative_balance: true });
  const [saver, debtor] = [newId(), newId()];
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id: saver, amount: 3 }));
  await asCaller(() => ledger.rpc.SpendPoints({ workspace_id, client_id: debtor, amount: 5 }));
  for (const client_id of [saver, debtor])
    await ledger.rpc.CloseClientWallets({ workspace_id, client_id });
  const [points] = await figuresOf(workspace_id);
  expect(points!.days.at(-1)!.figure).toMatchObject({ issued: 8, used: 5, expired: 3, owed: 0 });
  const asked = { workspace_id, wallet_type_code: 'points' };
  expect(await ledger.rpc.GetStatement(asked)).toMatchObject({ breakage: 3, adjusted_credits: 5 });
});

test('what callers name as the closing of a customer is given and used all the same', async () => {
  const workspace_id = await testWorkspace(ledger);
  const own = { workspace_id, client_id: newId(), source_type: 'client_deleted' };
  await asCaller(() => ledger.rpc.EarnPoints({ ...own, amount: 10 }));
  await asCaller(() => ledger.rpc.SpendPoints({ ...own, amount: 4 }));
  const [points] = await figuresOf(workspace_id);
  expect(points!.days.at(-1)!.figure).toMatchObject({ issued: 10, used: 4, expired: 0, owed: 6 });
});

test('figures are of one workspace alone', async () => {
  const [one, two] = [await testWorkspace(ledger), await testWorkspace(ledger)];
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id: one, client_id: newId(), amount: 9 }));
  const [points] = await figuresOf(two);
  expect(points!.days.at(-1)!.figure).toMatchObject({ issued: 0, owed: 0 });
});
