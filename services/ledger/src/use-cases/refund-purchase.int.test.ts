import {
  forgetSandbox,
  newId,
  noteSandbox,
  runInContext,
  systemContext,
  workspaceClock,
} from '@laurel/lifecycle';
import { AMOUNT_MAX, toUnits, unitsOf } from '@laurel/values/amount';
import { LOTS_AT_ONCE } from '../domain/lots';
import { takeBack } from '../domain/refund-purchase';
import { EMPTY_WALLET, noteOf } from '../domain/wallet';
import { rulesOf } from '../store/wallet-types';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { cancelEntry } from './cancel-entry';
import { finishRefunds } from './finish-refunds';
import { refundPurchase } from './refund-purchase';
import { walletRef } from './resolve-wallet';
import { notReversed } from './share-refund';
import { takeLateEarns } from './take-late-earn';

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

const earnFor = (workspace_id: string, client_id: string) =>
  asCaller(() =>
    ledger.rpc.EarnPoints({
      workspace_id,
      client_id,
      amount: 100,
      source_type: 'transaction',
      source_id: 'order',
    }),
  );
const refundHalf = (workspace_id: string) =>
  asCaller(() => other.rpc.RefundPurchase({ workspace_id, source_id: 'order', ratio: 0.5 }));
/** A rule gives for the sale. */
const giveByRule = (workspace_id: string, client_id: string, more: object = {}) =>
  runInContext(systemContext({ operationId: newId(), chain: ['a rule'] }), () =>
    ledger.rpc.EarnPoints({
      workspace_id,
      client_id,
      amount: 40,
      source_type: 'transaction',
      source_id: 'order',
      ...more,
    }),
  );

async function balanceOf(workspace_id: string, client_id: string): Promise<number> {
  const { wallets } = await other.rpc.GetBalances({ workspace_id, client_id });
  return wallets[0]!.wallet!.active_balance;
}

test('a refund decided where a merge has not been heard of follows the points to the target', async () => {
  const workspace_id = await testWorkspace(ledger);
  const [source_client_id, target_client_id] = [newId(), newId()];
  await earnFor(workspace_id, source_client_id);
  // From here on the other process remembers the source as it is before the merge.
  await balanceOf(workspace_id, source_client_id);
  await ledger.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id });
  expect(await refundHalf(workspace_id)).toMatchObject({ refunded_points: 50, shortfall: 0 });
  expect(await balanceOf(workspace_id, target_client_id)).toBe(50);
});

test('a refund leaves the balance of a deleted client at zero, even where it might go below', async () => {
  const workspace_id = await testWorkspace(ledger, { allow_negative_balance: true });
  const client_id = newId();
  await earnFor(workspace_id, client_id);
  await ledger.rpc.CloseClientWallets({ workspace_id, client_id });
  expect(await refundHalf(workspace_id)).toMatchObject({ refunded_points: 0, shortfall: 50 });
  expect(await balanceOf(workspace_id, client_id)).toBe(0);
});

test('points of a purchase that are pending go back before a refund falls short, and are made up for later', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const earned = await earnFor(workspace_id, client_id);
  const sale = { source_type: 'transaction', source_id: 'order' };
  const client = { workspace_id, client_id };
  const pending = await asCaller(() =>
    ledger.rpc.EarnPoints({ ...client, ...sale, amount: 100, pending_days: 9 }),
  );
  await asCaller(() => ledger.rpc.SpendPoints({ ...client, amount: 100 }));
  const figures = async () => (await other.rpc.GetBalances(client)).wallets[0]!.wallet!;

  const asked = { workspace_id, source_id: 'order', ratio: 0.5 };
  const quote = await other.rpc.QuotePurchaseRefund(asked);
  expect(quote).toMatchObject({ refunded_points: 100, shortfall: 0, taken: [{ pending: -100 }] });
  const first = await refundHalf(workspace_id);
  expect(first).toMatchObject({ refunded_points: 100, shortfall: 0 });
  expect(first.entries).toMatchObject([{ source_id: pending.entry!.id, amount: -100 }]);
  expect(await figures()).toMatchObject({ pending_balance: 0, active_balance: 0 });

  await asCaller(() => ledger.rpc.EarnPoints({ ...client, amount: 70 }));
  const second = await refundHalf(workspace_id);
  expect(second).toMatchObject({ refunded_points: 70, shortfall: 30 });
  expect(second.entries).toMatchObject([{ source_id: earned.entry!.id, amount: -70 }]);
});

test('what a refund could not take stays where a rule gave for its sale meanwhile, and its repeat is answered as it was', async () => {
  const workspace_id = await testWorkspace(ledger);
  await ledger.rpc.CreateWalletType({ workspace_id, code: 'stamps', name: 'Stamps' });
  const client_id = newId();
  const client = { workspace_id, client_id };
  await earnFor(workspace_id, client_id);
  await asCaller(() => ledger.rpc.SpendPoints({ ...client, amount: 100 }));
  const { deps } = ledger;
  const add: typeof deps.refunds.add = async (...row) => {
    await giveByRule(workspace_id, client_id, { wallet_type_code: 'stamps' });
    return deps.refunds.add(...row);
  };
  const beside = { ...deps, refunds: { ...deps.refunds, add } };
  const asked = { workspace_id, source_id: 'order', ratio: 0.5, external_id: 'return' };
  const refund = () => asCaller(() => refundPurchase(beside, asked));
  const first = await refund();
  expect(first).toMatchObject({ refunded_points: 0, shortfall: 50, replayed: false });
  await asCaller(() => ledger.rpc.EarnPoints({ ...client, amount: 60 }));
  expect(await refund()).toEqual({ ...first, replayed: true });
  const now: typeof deps.now = (workspaceId) => deps.now(workspaceId) + 60_000;
  await finishRefunds({ ...other.deps, now });
  const { wallets } = await other.rpc.GetBalances(client);
  const balances = new Map(wallets.map((of) => [of.wallet_type!.code, of.wallet!.active_balance]));
  expect(balances).toEqual(
    new Map([
      ['points', 60],
      ['stamps', 20],
    ]),
  );
  expect(await refund()).toEqual({ ...first, replayed: true });
});

test('a refund of what earned nothing says so, and of which field', async () => {
  const workspace_id = await testWorkspace(ledger);
  await expect(refundHalf(workspace_id)).rejects.toMatchObject({
    code: 'RECORD_NOT_FOUND',
    problems: [{ field: 'source_id', extensions: { reason: 'nothing_earned' } }],
  });
});

test('an earn whose refunds add up to all of it is cancelled, and what they took carries their external_id', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const { entry } = await earnFor(workspace_id, client_id);
  const statusOf = async () => (await ledger.rpc.GetEntry({ workspace_id, id: entry!.id })).status;
  for (const part of [1, 2, 3]) {
    expect(await statusOf()).toBe('active');
    const external_id = `return ${part}`;
    const third = { source_id: 'order', amount: 10, purchase_amount: 30, external_id };
    const refund = await asCaller(() => other.rpc.RefundPurchase({ workspace_id, ...third }));
    expect(refund.entries).toMatchObject([{ external_id, source_type: 'refund' }]);
  }
  expect(await statusOf()).toBe('cancelled');
  expect(await balanceOf(workspace_id, client_id)).toBe(0);
});

test('an earn that refunds took back whole out of other points cannot be cancelled, though its own are there again', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const { entry } = await earnFor(workspace_id, client_id);
  const redemption = { workspace_id, client_id, amount: 100, operation_id: 'redemption' };
  await asCaller(() => ledger.rpc.SpendPoints(redemption));
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 100 }));
  const whole = { workspace_id, source_id: 'order', ratio: 1 };
  const { refunded_points } = await asCaller(() => other.rpc.RefundPurchase(whole));
  expect(refunded_points).toBe(100);
  const undone = { workspace_id, spend_operation_id: 'redemption' };
  await asCaller(() => ledger.rpc.RefundSpend(undone));
  const cancel = { workspace_id, entry_id: entry!.id, reason: 'by mistake' };
  await expect(asCaller(() => other.rpc.CancelEntry(cancel))).rejects.toMatchObject({
    code: 'CONFLICT',
    problems: [{ extensions: { reason: 'nothing_left' } }],
  });
  expect(await balanceOf(workspace_id, client_id)).toBe(100);
});

test('a cancel and refunds of one earn at once never take back more than all of it', async () => {
  for (let round = 0; round < 8; round += 1) {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    const { entry } = await earnFor(workspace_id, client_id);
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 500 }));
    const cancel = { workspace_id, entry_id: entry!.id, reason: 'by mistake' };
    await Promise.allSettled([
      refundHalf(workspace_id),
      asCaller(() => ledger.rpc.CancelEntry(cancel)),
      refundHalf(workspace_id),
    ]);
    expect(await balanceOf(workspace_id, client_id)).toBe(500);
    expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  }
});

describe('a cancel beside a refund of the same earn', () => {
  /** An earn whose points were spent, with as many others beside it, and a way to give the spend back. */
  async function spent() {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    const { entry } = await earnFor(workspace_id, client_id);
    const operation_id = 'redemption';
    const spend = { workspace_id, client_id, amount: 100, operation_id };
    await asCaller(() => ledger.rpc.SpendPoints(spend));
    await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 100 }));
    return {
      workspace_id,
      client_id,
      giveBack: () => {
        const spend_operation_id = operation_id;
        return asCaller(() => other.rpc.RefundSpend({ workspace_id, spend_operation_id }));
      },
      refund: () =>
        asCaller(() => other.rpc.RefundPurchase({ workspace_id, source_id: 'order', ratio: 1 })),
      cancel: (deps = ledger.deps) =>
        asCaller(() =>
          cancelEntry(deps, { workspace_id, entry_id: entry!.id, reason: 'by mistake' }),
        ),
    };
  }

  test('that has looked before the refund took it out of other points looks again', async () => {
    const { workspace_id, client_id, giveBack, refund, cancel } = await spent();
    const { deps } = ledger;
    let isFirst = true;
    const findReversals: typeof deps.entries.findReversals = async (...asked) => {
      const found = await deps.entries.findReversals(...asked);
      if (isFirst) {
        isFirst = false;
        expect(await refund()).toMatchObject({ refunded_points: 100 });
        await giveBack();
      }
      return found;
    };
    const late = { ...deps, entries: { ...deps.entries, findReversals } };
    await expect(cancel(late)).rejects.toMatchObject({
      problems: [{ extensions: { reason: 'nothing_left' } }],
    });
    expect(await balanceOf(workspace_id, client_id)).toBe(100);
  });

  test('never takes it a second time, though the same process does both in one go', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { workspace_id, client_id, giveBack, refund, cancel } = await spent();
      await giveBack();
      const both = [() => cancel(other.deps), refund];
      if (round % 2 === 0) both.reverse();
      await Promise.allSettled(both.map((each) => each()));
      expect(await balanceOf(workspace_id, client_id)).toBe(100);
      expect((await ledger.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
    }
  });
});

test('two reversals of one earn that go into the log together take it back once', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const { entry } = await earnFor(workspace_id, client_id);
  await asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount: 500 }));
  const { deps } = ledger;
  const [type] = await deps.walletTypes.list(workspace_id);
  const wallet = walletRef(workspace_id, client_id, type!);
  const earn = (await deps.entries.find(workspace_id, entry!.id))!;
  const reverse = (operationId: string) =>
    deps.log.perform({
      wallet,
      operationId,
      reverses: earn._id,
      look: async () => {
        const left = await notReversed(deps, earn, [wallet.id]);
        if (left === 0) return null;
        const take = { earnId: earn._id, left, due: left };
        return (state) =>
          takeBack({ wallet: state, rules: rulesOf(type!) }, take, noteOf('refund', earn._id));
      },
    });
  const outcomes = await Promise.all([reverse('one'), reverse('two')]);
  expect(outcomes.map((outcome) => outcome?.entry.amount ?? null)).toEqual([-1_000_000, null]);
  expect(await balanceOf(workspace_id, client_id)).toBe(500);
});

test('what a reversal cannot look up fails for it alone', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const { entry } = await earnFor(workspace_id, client_id);
  const [type] = await ledger.deps.walletTypes.list(workspace_id);
  const reversal = ledger.deps.log.perform({
    wallet: walletRef(workspace_id, client_id, type!),
    operationId: 'cannot look',
    reverses: entry!.id,
    look: () => Promise.reject(new Error('a document that cannot be read')),
  });
  const spend = { workspace_id, client_id, amount: 30 };
  const outcomes = await Promise.allSettled([
    reversal,
    asCaller(() => ledger.rpc.SpendPoints(spend)),
  ]);
  expect(outcomes).toMatchObject([
    { reason: { message: 'a document that cannot be read' } },
    { value: { entry: { amount: -30 } } },
  ]);
});

test('an earn is cancelled, and refunded, in a wallet that is never at rest', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const client = { workspace_id, client_id };
  await asCaller(() => ledger.rpc.EarnPoints({ ...client, amount: 1_000 }));
  const { entry } = await asCaller(() => ledger.rpc.EarnPoints({ ...client, amount: 7 }));
  await earnFor(workspace_id, client_id);
  let isOver = false;
  let spends = 0;
  const spending = Array.from({ length: 50 }, async () => {
    while (!isOver) {
      await asCaller(() => ledger.rpc.SpendPoints({ ...client, amount: 0.01 }));
      spends += 1;
    }
  });
  const cancel = { workspace_id, entry_id: entry!.id, reason: 'by mistake' };
  const asked = { workspace_id, source_id: 'order', ratio: 0.5 };
  const outcomes = await Promise.allSettled([
    asCaller(() => ledger.rpc.CancelEntry(cancel)),
    asCaller(() => ledger.rpc.RefundPurchase(asked)),
  ]);
  isOver = true;
  await Promise.all(spending);
  expect(outcomes).toMatchObject([
    { value: { entry: { amount: -7 } } },
    { value: { refunded_points: 50, shortfall: 0 } },
  ]);
  expect(spends).toBeGreaterThanOrEqual(50);
});

describe('a refund that names a client', () => {
  type Asked = { client_id?: string; ratio: number; external_id?: string };
  async function twoBuyers() {
    const workspace_id = await testWorkspace(ledger);
    const [one, two] = [newId(), newId()];
    for (const client of [one, two]) await earnFor(workspace_id, client);
    const balances = async () => [
      await balanceOf(workspace_id, one),
      await balanceOf(workspace_id, two),
    ];
    const refund = (asked: Asked) =>
      asCaller(() => ledger.rpc.RefundPurchase({ workspace_id, source_id: 'order', ...asked }));
    return { workspace_id, one, two, balances, refund };
  }

  test('takes from that client alone, and adds up with those that name none', async () => {
    const { workspace_id, one, two, balances, refund } = await twoBuyers();
    const half = { workspace_id, source_id: 'order', client_id: one, ratio: 0.5 };
    const quote = await other.rpc.QuotePurchaseRefund(half);
    expect(quote).toMatchObject({ refunded_points: 50, shortfall: 0 });
    expect(await refund({ client_id: one, ratio: 0.5 })).toMatchObject({ refunded_points: 50 });
    expect(await balances()).toEqual([50, 100]);
    expect(await refund({ ratio: 0.5 })).toMatchObject({ refunded_points: 100, shortfall: 0 });
    expect(await balances()).toEqual([0, 50]);
    await expect(refund({ client_id: one, ratio: 0.1 })).rejects.toMatchObject({
      problems: [{ field: 'ratio', extensions: { reason: 'refund_too_large' } }],
    });
    expect(await refund({ client_id: two, ratio: 0.5 })).toMatchObject({ refunded_points: 50 });
    expect(await balances()).toEqual([0, 0]);
  });

  test('is one of its own under an external_id that one of another client has, too', async () => {
    const { one, two, balances, refund } = await twoBuyers();
    const asked = { ratio: 0.5, external_id: 'return' };
    const first = await refund({ ...asked, client_id: one });
    const second = await refund({ ...asked, client_id: two });
    expect([first, second]).toMatchObject([{ replayed: false }, { replayed: false }]);
    expect(await refund({ ...asked, client_id: two })).toEqual({ ...second, replayed: true });
    expect(await refund({ ...asked, client_id: one })).toEqual({ ...first, replayed: true });
    expect(await balances()).toEqual([50, 50]);
  });

  test('reads nothing of what others earned under the number, however many they are, also when it is repeated', async () => {
    const { workspace_id, one } = await twoBuyers();
    for (let buyer = 0; buyer < 5; buyer += 1) await earnFor(workspace_id, newId());
    const { deps } = ledger;
    let earns = 0;
    let looks = 0;
    const findPurchaseEarns: typeof deps.entries.findPurchaseEarns = async (...asked) => {
      const found = await deps.entries.findPurchaseEarns(...asked);
      earns += found.length;
      return found;
    };
    const bearing: typeof deps.refunds.bearing = (...asked) => {
      looks += 1;
      return deps.refunds.bearing(...asked);
    };
    const counting = {
      ...deps,
      entries: { ...deps.entries, findPurchaseEarns },
      refunds: { ...deps.refunds, bearing },
    };
    const half = { workspace_id, source_id: 'order', client_id: one, ratio: 0.5 };
    for (const replayed of [false, true]) {
      const asked = { ...half, external_id: 'return' };
      const refund = await asCaller(() => refundPurchase(counting, asked));
      expect(refund).toMatchObject({ refunded_points: 50, replayed });
    }
    expect([earns, looks]).toEqual([2, 1]);
  });

  test.each(['another client', 'no client'])(
    'is the same under its external_id where %s is named by then, who is one with the first',
    async (named) => {
      const { workspace_id, one, two, balances, refund } = await twoBuyers();
      const asked = { ratio: 0.5, external_id: 'return' };
      const first = await refund({ ...asked, client_id: one });
      const merge = { workspace_id, source_client_id: one, target_client_id: two };
      await ledger.rpc.MergeClientWallets(merge);
      const by = named === 'no client' ? {} : { client_id: two };
      expect(await refund({ ...asked, ...by })).toEqual({ ...first, replayed: true });
      await expect(refund({ ...asked, ...by, ratio: 0.25 })).rejects.toMatchObject({
        problems: [{ field: 'external_id' }],
      });
      expect(await balances()).toEqual([0, 150]);
    },
  );

  test('is the same under its external_id where the first one named no client', async () => {
    const { one, balances, refund } = await twoBuyers();
    const asked = { ratio: 1, external_id: 'return' };
    const first = await refund(asked);
    expect(await refund({ ...asked, client_id: one })).toEqual({ ...first, replayed: true });
    expect(await balances()).toEqual([0, 0]);
  });

  test('follows merges of one who never had points', async () => {
    const { workspace_id, one, balances, refund } = await twoBuyers();
    const source = newId();
    await ledger.rpc.MergeClientWallets({
      workspace_id,
      source_client_id: source,
      target_client_id: one,
    });
    ledger.standings.becomes(source, one);
    ledger.standings.set(source, null);
    expect(await refund({ client_id: source, ratio: 0.5 })).toMatchObject({ refunded_points: 50 });
    expect(await balances()).toEqual([50, 100]);
  });

  test('is refused for that client where there is none, and for the sale where it earned them nothing', async () => {
    const { refund } = await twoBuyers();
    const [unknown, known] = [newId(), newId()];
    ledger.standings.set(unknown, null);
    await expect(refund({ client_id: unknown, ratio: 0.5 })).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'client_id' }],
    });
    await expect(refund({ client_id: known, ratio: 0.5 })).rejects.toMatchObject({
      problems: [{ field: 'source_id', extensions: { reason: 'nothing_earned' } }],
    });
  });

  test('follows merges, from either side, and takes nothing of a third', async () => {
    const { workspace_id, one, two, refund } = await twoBuyers();
    const third = newId();
    await earnFor(workspace_id, third);
    const merge = { workspace_id, source_client_id: one, target_client_id: two };
    await ledger.rpc.MergeClientWallets(merge);
    expect(await refund({ client_id: two, ratio: 0.5 })).toMatchObject({ refunded_points: 100 });
    expect(await refund({ client_id: one, ratio: 0.5 })).toMatchObject({ refunded_points: 100 });
    expect(await balanceOf(workspace_id, third)).toBe(100);
  });
});

describe('points that no longer move are not asked back', () => {
  test('of a client who was anonymized, also of one who was merged into them', async () => {
    const workspace_id = await testWorkspace(ledger);
    const [source_client_id, target_client_id] = [newId(), newId()];
    await earnFor(workspace_id, source_client_id);
    await other.rpc.MergeClientWallets({ workspace_id, source_client_id, target_client_id });
    const asked = { workspace_id, source_id: 'order', ratio: 0.5, external_id: 'before' };
    const first = await asCaller(() => other.rpc.RefundPurchase(asked));
    other.standings.set(target_client_id, 'anonymized');
    const refused = {
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'source_id', extensions: { reason: 'client_anonymized' } }],
    };
    await expect(refundHalf(workspace_id)).rejects.toMatchObject(refused);
    await expect(
      asCaller(() => other.rpc.QuotePurchaseRefund({ ...asked, external_id: 'again' })),
    ).rejects.toMatchObject(refused);
    const again = await asCaller(() => other.rpc.RefundPurchase(asked));
    expect(again).toMatchObject({ entries: first.entries, replayed: true });
    // Somebody else's sale has the same number.
    await earnFor(workspace_id, newId());
    expect(await refundHalf(workspace_id)).toMatchObject({ replayed: false });
  });

  test('of a wallet type that is switched off', async () => {
    const workspace_id = await testWorkspace(ledger);
    const stamps = { workspace_id, code: 'stamps', name: 'Stamps' };
    const { id } = await ledger.rpc.CreateWalletType(stamps);
    const client_id = newId();
    const purchase = { source_type: 'transaction', source_id: 'order' };
    const given = { workspace_id, client_id, amount: 10, wallet_type_code: 'stamps' };
    await asCaller(() => ledger.rpc.EarnPoints({ ...given, ...purchase }));
    await ledger.rpc.UpdateWalletType({ workspace_id, id, active: false });
    await expect(refundHalf(workspace_id)).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'source_id', extensions: { reason: 'wallet_type_inactive' } }],
    });
    await ledger.rpc.UpdateWalletType({ workspace_id, id, active: true });
    expect(await refundHalf(workspace_id)).toMatchObject({ refunded_points: 5 });
  });

  test('of a wallet type that is switched off, while those of others are', async () => {
    const workspace_id = await testWorkspace(ledger);
    const stamps = { workspace_id, code: 'stamps', name: 'Stamps' };
    const { id } = await ledger.rpc.CreateWalletType(stamps);
    const client_id = newId();
    const purchase = { source_type: 'transaction', source_id: 'order' };
    const given = { workspace_id, client_id, amount: 10, wallet_type_code: 'stamps' };
    await asCaller(() => ledger.rpc.EarnPoints({ ...given, ...purchase }));
    await earnFor(workspace_id, client_id);
    await ledger.rpc.UpdateWalletType({ workspace_id, id, active: false });
    const half = { workspace_id, source_id: 'order', ratio: 0.5, external_id: 'half' };
    expect(await other.rpc.QuotePurchaseRefund(half)).toMatchObject({
      taken: [{ wallet_type_code: 'points', amount: -50 }],
      shortfall: 5,
    });
    const first = await asCaller(() => other.rpc.RefundPurchase(half));
    expect(first).toMatchObject({ refunded_points: 50, shortfall: 5 });
    await ledger.rpc.UpdateWalletType({ workspace_id, id, active: true });
    const again = await asCaller(() => other.rpc.RefundPurchase(half));
    expect(again).toEqual({ ...first, replayed: true });
    expect(await refundHalf(workspace_id)).toMatchObject({ refunded_points: 55, shortfall: 0 });
  });

  test('of clients who were anonymized, where all others are of a wallet type that is switched off', async () => {
    const workspace_id = await testWorkspace(ledger);
    const stamps = { workspace_id, code: 'stamps', name: 'Stamps' };
    const { id } = await ledger.rpc.CreateWalletType(stamps);
    const [gone, there] = [newId(), newId()];
    await earnFor(workspace_id, gone);
    const given = { workspace_id, client_id: there, amount: 10, wallet_type_code: 'stamps' };
    const purchase = { source_type: 'transaction', source_id: 'order' };
    await asCaller(() => ledger.rpc.EarnPoints({ ...given, ...purchase }));
    other.standings.set(gone, 'anonymized');
    await ledger.rpc.UpdateWalletType({ workspace_id, id, active: false });
    await expect(refundHalf(workspace_id)).rejects.toMatchObject({
      problems: [{ field: 'source_id', extensions: { reason: 'wallet_type_inactive' } }],
    });
  });
});

test('of whom a refund asks whether points may move are few, and once, however many earned under the number', async () => {
  const workspace_id = await testWorkspace(ledger);
  for (let buyer = 0; buyer < 5; buyer += 1) await earnFor(workspace_id, newId());
  const { deps } = ledger;
  const asked: string[] = [];
  const standings = {
    ...deps.standings,
    of: (...[workspaceId, clientId]: Parameters<typeof deps.standings.of>) => {
      asked.push(clientId);
      return deps.standings.of(workspaceId, clientId);
    },
  };
  // Another refund comes in between, so that this one is looked at again.
  let isFirst = true;
  const add: typeof deps.refunds.add = async (...row) => {
    if (isFirst) {
      isFirst = false;
      await refundHalf(workspace_id);
    }
    return deps.refunds.add(...row);
  };
  const counting = { ...deps, standings, refunds: { ...deps.refunds, add } };
  const request = { workspace_id, source_id: 'order', ratio: 0.5 };
  const { refunded_points } = await asCaller(() => refundPurchase(counting, request));
  expect(refunded_points).toBe(250);
  expect(asked).toHaveLength(1);
});

test('what is due out of more lots than an entry can name is taken by several, and once', async () => {
  const workspace_id = await testWorkspace(ledger);
  const client_id = newId();
  const { entry } = await earnFor(workspace_id, client_id);
  const [type] = await ledger.deps.walletTypes.list(workspace_id);
  const ref = walletRef(workspace_id, client_id, type!);
  const { hash } = (await ledger.deps.heads.proven([ref])).get(ref.id)!;
  const spent = toUnits(entry!.amount);
  const count = LOTS_AT_ONCE + 5;
  const lots = Array.from({ length: count }, (_, index) => ({
    id: `lot-${index}`,
    madeAt: index,
    sequence: index + 2,
    expiresAt: null,
    remaining: unitsOf(40),
    maturesAt: null,
  }));
  const active = unitsOf(40 * count);
  const figures = { ...EMPTY_WALLET.figures, active, earned: unitsOf(active + spent), spent };
  const wallet = { ...EMPTY_WALLET, sequence: count + 2, figures, lots };
  await ledger.deps.log.drained();
  expect(await ledger.deps.wallets.save([{ ref, wallet, hash }])).toBe(true);
  const late = await ledger.replica();
  const asked = { workspace_id, source_id: 'order', ratio: 1, external_id: 'all' };
  const refund = () => asCaller(() => late.rpc.RefundPurchase(asked));
  const first = await refund();
  expect(first.entries.map(({ amount }) => amount)).toEqual([-80, -0.02]);
  expect(first).toMatchObject({ refunded_points: 80.02, shortfall: 19.98 });
  expect(await refund()).toEqual({ ...first, replayed: true });
  await late.deps.log.drained();
});

test('a refund takes its share of points of several kinds, and of sales for more than one amount can be', async () => {
  const workspace_id = await testWorkspace(ledger);
  await ledger.rpc.CreateWalletType({ workspace_id, code: 'stamps', name: 'Stamps' });
  const client_id = newId();
  const half = 0.6 * AMOUNT_MAX;
  const purchase = { source_type: 'transaction', source_id: 'order' };
  for (const wallet_type_code of ['points', 'stamps'])
    await asCaller(() =>
      ledger.rpc.EarnPoints({
        workspace_id,
        client_id,
        amount: half,
        wallet_type_code,
        ...purchase,
      }),
    );
  const sales = { workspace_id, client_id, event_ids: ['order'], names: ['order'], shared: [] };
  const whole = { ...sales, merging: [], refunded: AMOUNT_MAX, paid: 2 * AMOUNT_MAX };
  const { taken } = await asCaller(() => other.rpc.QuoteRefund(whole));
  expect(taken.map(({ amount }) => amount)).toEqual([-half / 2, -half / 2]);
  const all = { workspace_id, source_id: 'order', ratio: 1 };
  const refunded = { refunded_points: 2 * half, shortfall: 0 };
  expect(await asCaller(() => other.rpc.QuotePurchaseRefund(all))).toMatchObject(refunded);
  expect(await asCaller(() => other.rpc.RefundPurchase(all))).toMatchObject(refunded);
});

describe('a refund whose process died once it was written down', () => {
  const MINUTE_MS = 60_000;
  const later = () =>
    ledger.replica({ now: (workspaceId) => workspaceClock.now(workspaceId).getTime() + MINUTE_MS });
  /** A wallet type that cannot be read is where it ends. */
  const without = (workspaceId: string, deps = ledger.deps): typeof deps => {
    const find: typeof deps.walletTypes.find = (asked, id) =>
      asked === workspaceId
        ? Promise.reject(new Error('a document that cannot be read'))
        : deps.walletTypes.find(asked, id);
    return { ...deps, walletTypes: { ...deps.walletTypes, find } };
  };
  async function cutShort(workspaceId: string): Promise<string> {
    const client = newId();
    await earnFor(workspaceId, client);
    const request = { workspace_id: workspaceId, source_id: 'order', ratio: 0.5 };
    const refund = runInContext(systemContext({ workspaceId, operationId: newId() }), () =>
      refundPurchase(without(workspaceId), request),
    );
    await expect(refund).rejects.toThrow('cannot be read');
    return client;
  }

  test('is finished though another one cannot be, and the round rejects with that one', async () => {
    const [broken, sound] = [await testWorkspace(ledger), await testWorkspace(ledger)];
    const [waiting, client] = [await cutShort(broken), await cutShort(sound)];
    const { deps } = await later();
    const unfinished: typeof deps.refunds.unfinished = async (limit) =>
      (await deps.refunds.unfinished(limit)).sort((one) => (one.workspace_id === broken ? -1 : 1));
    const faulty = { ...without(broken, deps), refunds: { ...deps.refunds, unfinished } };
    await expect(finishRefunds(faulty)).rejects.toThrow('1 of 2');
    expect(await balanceOf(sound, client)).toBe(50);
    expect(await balanceOf(broken, waiting)).toBe(100);
    await finishRefunds(deps);
    expect(await balanceOf(broken, waiting)).toBe(50);
  });

  test('is finished though more cannot be than a round looks at in one go', async () => {
    const broken = await testWorkspace(ledger);
    const request = (source_id: string) => ({ workspace_id: broken, source_id, ratio: 0.5 });
    const given = { workspace_id: broken, client_id: newId(), amount: 1 };
    for (let order = 0; order < 51; order += 1) {
      const sale = { source_type: 'transaction', source_id: `${order}` };
      await asCaller(() => ledger.rpc.EarnPoints({ ...given, ...sale }));
      const refund = asCaller(() => refundPurchase(without(broken), request(`${order}`)));
      await expect(refund).rejects.toThrow('cannot be read');
    }
    const sound = await testWorkspace(ledger);
    const client = await cutShort(sound);
    const { deps } = await later();
    await expect(finishRefunds(without(broken, deps))).rejects.toThrow('51 of 52');
    expect(await balanceOf(sound, client)).toBe(50);
    await finishRefunds(deps);
    expect(await deps.refunds.unfinished(100)).toEqual([]);
  });

  test.each([
    ['took anything', (workspaceId: string) => without(workspaceId)],
    [
      'looked for that',
      () => {
        const bearing = () => Promise.reject(new Error('a document that cannot be read'));
        return { ...ledger.deps, refunds: { ...ledger.deps.refunds, bearing } };
      },
    ],
  ])(
    'takes its share of what a rule gave between its look and that, also where it died before it %s',
    async (_, dying) => {
      const workspaceId = await testWorkspace(ledger);
      const client = newId();
      await earnFor(workspaceId, client);
      const deps = dying(workspaceId);
      const add: typeof deps.refunds.add = async (...row) => {
        await giveByRule(workspaceId, client);
        return deps.refunds.add(...row);
      };
      const late = { ...deps, refunds: { ...deps.refunds, add } };
      const request = { workspace_id: workspaceId, source_id: 'order', ratio: 0.5 };
      await expect(asCaller(() => refundPurchase(late, request))).rejects.toThrow('cannot be read');
      const sweeper = await later();
      await finishRefunds(sweeper.deps);
      expect(await balanceOf(workspaceId, client)).toBe(70);
      await finishRefunds(sweeper.deps);
      const open = await sweeper.deps.refunds.unfinished(100);
      expect(open.map((row) => row.workspace_id)).not.toContain(workspaceId);
    },
  );

  test('is finished though a rule gave for its sale in between', async () => {
    const workspaceId = await testWorkspace(ledger);
    const client = await cutShort(workspaceId);
    await giveByRule(workspaceId, client);
    await takeLateEarns(ledger.deps, workspaceId, ['order']);
    expect(await balanceOf(workspaceId, client)).toBe(120);
    await finishRefunds((await later()).deps);
    expect(await balanceOf(workspaceId, client)).toBe(70);
  });

  test('is finished in a sandbox, too, however far its clock is ahead', async () => {
    const workspaceId = await testWorkspace(ledger);
    noteSandbox(workspaceId, 365 * 24 * 60 * MINUTE_MS);
    try {
      const client = await cutShort(workspaceId);
      await finishRefunds((await later()).deps);
      expect(await balanceOf(workspaceId, client)).toBe(50);
    } finally {
      forgetSandbox(workspaceId);
    }
  });
});

describe('a number that is of more sales than one refund looks at', () => {
  const refused = {
    httpStatus: 400,
    problems: [{ field: 'source_id', extensions: { reason: 'too_many_earns' } }],
  };

  test('is refused, and taken with the client whose sale is meant; what was done before is answered as it was', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    await earnFor(workspace_id, client_id);
    const first = { workspace_id, source_id: 'order', ratio: 0.1, external_id: 'R1' };
    const done = await asCaller(() => other.rpc.RefundPurchase(first));
    expect(done).toMatchObject({ refunded_points: 10, replayed: false });
    for (let earned = 0; earned < 500; earned += 50)
      await Promise.all(Array.from({ length: 50 }, () => earnFor(workspace_id, newId())));
    await expect(refundHalf(workspace_id)).rejects.toMatchObject(refused);
    const repeat = await asCaller(() => other.rpc.RefundPurchase(first));
    expect(repeat).toEqual({ ...done, replayed: true });
    expect(await other.rpc.QuotePurchaseRefund(first)).toMatchObject({ refunded_points: 10 });
    expect(await balanceOf(workspace_id, client_id)).toBe(90);
    const named = { workspace_id, client_id, source_id: 'order', ratio: 0.5 };
    expect(await asCaller(() => other.rpc.RefundPurchase(named))).toMatchObject({
      refunded_points: 50,
    });
  });

  test('and of a client who is named is refused without advice to name one, and leaves nothing that later earns look at', async () => {
    const workspace_id = await testWorkspace(ledger);
    const client_id = newId();
    for (let earned = 0; earned <= 500; earned += 50)
      await Promise.all(Array.from({ length: 50 }, () => earnFor(workspace_id, client_id)));
    const named = { workspace_id, client_id, source_id: 'order', ratio: 0.5 };
    await expect(asCaller(() => other.rpc.RefundPurchase(named))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('one by one'),
    });
    await expect(other.rpc.QuotePurchaseRefund(named)).rejects.toMatchObject(refused);
    expect(await ledger.deps.refunds.find(workspace_id, 'order')).toBeNull();
  });
});
