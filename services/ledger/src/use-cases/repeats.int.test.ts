import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { ledger as messages } from '@laurel/rpc';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await testLedger();
});
afterAll(() => ledger.drop());

const OPERATIONS = {
  earn: (body: Body) => ledger.rpc.EarnPoints(body),
  spend: (body: Body) => ledger.rpc.SpendPoints(body),
  adjust: (body: Body) => ledger.rpc.AdjustPoints({ ...body, description: 'by hand' }),
  lock: (body: Body) => ledger.rpc.LockPoints(body),
};
interface Body {
  workspace_id: string;
  client_id: string;
  amount: number;
  wallet_type_code?: string;
  external_id?: string;
}

async function funded() {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 100 }));
  return { workspace_id, client_id };
}

/** What became of a client between an operation and its repeat. */
const ENDS: [string, (clientId: string) => void][] = [
  ['is gone, merged or erased', (id) => ledger.standings.set(id, null)],
  ['is anonymized', (id) => ledger.standings.set(id, 'anonymized')],
];

describe.each(ENDS)('once the client %s', (_, end) => {
  test.each(Object.entries(OPERATIONS))(
    'the repeat of %s that took effect is answered with what it did, by its key and by its external_id',
    async (_kind, operate) => {
      const body = { ...(await funded()), amount: 5, external_id: 'receipt-7' };
      const operation = newId();
      const first = await asCaller(() => operate(body), operation);
      end(body.client_id);
      const repeated = await asCaller(() => operate(body), operation);
      const again = await asCaller(() => operate(body));
      for (const reply of [repeated, again])
        expect(reply).toMatchObject({ replayed: true, entry: { id: first.entry!.id } });
      await expect(asCaller(() => operate({ ...body, amount: 6 }))).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      await expect(
        asCaller(() => operate({ ...body, external_id: 'receipt-8' })),
      ).rejects.toMatchObject({ code: 'INVALID_PAYLOAD', problems: [{ field: 'client_id' }] });
    },
  );

  test('the repeat of a transfer tells both entries, whichever of the two it was', async () => {
    const { workspace_id, client_id: from_client_id } = await funded();
    const to_client_id = newId();
    const request = { workspace_id, from_client_id, to_client_id, amount: 5 };
    const transfer = () => ledger.rpc.TransferPoints(request);
    const operation = newId();
    const { replayed: _first, ...told } = await asCaller(transfer, operation);
    end(to_client_id);
    expect(await asCaller(transfer, operation)).toEqual({ ...told, replayed: true });
    end(from_client_id);
    expect(await asCaller(transfer, operation)).toEqual({ ...told, replayed: true });
    await expect(asCaller(transfer)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  });

  test('the repeat of a cancel, a release and a capture that took effect is answered with what it did', async () => {
    const { workspace_id, client_id } = await funded();
    const held = () =>
      asCaller(() => ledger.rpc.LockPoints({ workspace_id, client_id, amount: 5 }));
    const [spent, one, other] = [
      await asCaller(() => ledger.rpc.SpendPoints({ workspace_id, client_id, amount: 5 })),
      await held(),
      await held(),
    ];
    const asked = [
      () =>
        ledger.rpc.CancelEntry({ workspace_id, entry_id: spent.entry!.id, reason: 'by mistake' }),
      () => ledger.rpc.ReleaseLock({ workspace_id, entry_id: one.entry!.id }),
      () => ledger.rpc.CaptureLock({ workspace_id, entry_id: other.entry!.id }),
    ].map((work) => ({ work, operation: newId() }));
    const first = [];
    for (const { work, operation } of asked) first.push(await asCaller(work, operation));
    end(client_id);
    for (const [index, { work, operation }] of asked.entries())
      expect(await asCaller(work, operation)).toMatchObject({
        replayed: true,
        entry: { id: first[index]!.entry!.id },
      });
  });

  test('the repeat of a batch tells what was done and refuses what was not', async () => {
    const { workspace_id, client_id } = await funded();
    const earn = { workspace_id, client_id, amount: 5 };
    const batch = (operations: { earn: messages.EarnRequest }[]) =>
      ledger.rpc.BatchPoints({ workspace_id, operations });
    const operation = newId();
    const first = await asCaller(() => batch([{ earn }]), operation);
    end(client_id);
    const repeated = await asCaller(() => batch([{ earn }, { earn }]), operation);
    expect(repeated.results).toMatchObject([
      { entry: { id: first.results[0]!.entry!.id } },
      { error: { code: 'INVALID_PAYLOAD' } },
    ]);
  });
});

test('once its wallet type is inactive, the repeat of an operation that took effect is answered with what it did', async () => {
  const { workspace_id, client_id } = await funded();
  const type = { workspace_id, code: 'extra', name: 'Extra' };
  const { id } = await ledger.rpc.CreateWalletType(type);
  const body = { workspace_id, client_id, amount: 5, wallet_type_code: 'extra' };
  const operation = newId();
  const first = await asCaller(() => ledger.rpc.EarnPoints(body), operation);
  const change = { workspace_id, id, active: false };
  await ledger.rpc.UpdateWalletType(change);
  const repeated = await asCaller(() => ledger.rpc.EarnPoints(body), operation);
  expect(repeated).toMatchObject({ replayed: true, entry: { id: first.entry!.id } });
  await expect(asCaller(() => ledger.rpc.EarnPoints(body))).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
  });
});

describe('another request under a key that was used', () => {
  const usedKey = { code: 'CONFLICT', problems: [{ field: 'Idempotency-Key' }] };
  const under = <T>(operationId: string, fingerprint: string, work: () => Promise<T>): Promise<T> =>
    runInContext(systemContext({ operationId, fingerprint, operationKept: true }), work);

  test.each(Object.entries(OPERATIONS))(
    'is refused by %s, also once the client is gone, and the first is answered as before',
    async (_kind, operate) => {
      const { workspace_id, client_id } = await funded();
      const key = newId();
      const ask = (amount: number, fingerprint: string) =>
        under(key, fingerprint, () => operate({ workspace_id, client_id, amount }));
      const { entry } = await ask(5, 'five');
      const again = async () => {
        await expect(ask(6, 'six')).rejects.toMatchObject(usedKey);
        expect(await ask(5, 'five')).toMatchObject({ replayed: true, entry: { id: entry!.id } });
      };
      await again();
      ledger.standings.set(client_id, null);
      await again();
    },
  );

  test('is refused by a transfer and by a refund', async () => {
    const { workspace_id, client_id: from_client_id } = await funded();
    const pair = { workspace_id, from_client_id, to_client_id: newId() };
    const [transferKey, refundKey] = [newId(), newId()];
    const transfer = (amount: number) =>
      under(transferKey, `${amount}`, () => ledger.rpc.TransferPoints({ ...pair, amount }));
    await transfer(5);
    await expect(transfer(6)).rejects.toMatchObject(usedKey);
    expect(await transfer(5)).toMatchObject({ replayed: true });

    const sale = { source_type: 'transaction', source_id: 'order' };
    const earn = { workspace_id, client_id: from_client_id, amount: 100, ...sale };
    await asCaller(() => ledger.rpc.EarnPoints(earn));
    const refund = (fingerprint: string) =>
      under(refundKey, fingerprint, () =>
        ledger.rpc.RefundPurchase({ workspace_id, source_id: 'order', ratio: 0.5 }),
      );
    const first = await refund('half');
    await expect(refund('half, but by hand')).rejects.toMatchObject(usedKey);
    expect(await refund('half')).toEqual({ ...first, replayed: true });
    // The fingerprint stands outside of what is hashed.
    expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  });

  test('is refused by a batch as a whole, whatever else stands in it', async () => {
    const { workspace_id, client_id } = await funded();
    const key = newId();
    const batch = (amounts: number[]) =>
      under(key, String(amounts), () =>
        ledger.rpc.BatchPoints({
          workspace_id,
          operations: amounts.map((amount) => ({ earn: { workspace_id, client_id, amount } })),
        }),
      );
    const first = await batch([1, 2]);
    await expect(batch([1, 2, 3])).rejects.toMatchObject(usedKey);
    expect(await batch([1, 2])).toEqual(first);
    const asked = { workspace_id, client_id, limit: 50, offset: 0 };
    expect((await ledger.rpc.ListClientEntries(asked)).entries).toHaveLength(3);
  });

  test('is none where another service names the operation, whose requests are its own', async () => {
    const { workspace_id, client_id } = await funded();
    const spend = (key: string) =>
      under(key, key, () =>
        ledger.rpc.SpendPoints({ workspace_id, client_id, amount: 5, operation_id: 'redemption' }),
      );
    const first = await spend(newId());
    expect(await spend(newId())).toMatchObject({ replayed: true, entry: { id: first.entry!.id } });
  });
});
