import { newId } from '@laurel/lifecycle';
import type { ledger as api } from '@laurel/rpc';
import { propertySettings, testClock } from '@laurel/testing';
import fc from 'fast-check';
import type { EntryDocument } from '../store/documents';
import { asCaller, settleDue, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';

const HOUR = 3_600_000;
const CLIENTS = 4;
const TYPES = ['points', 'stamps'] as const;
const BALANCES = ['active', 'pending', 'locked'] as const;
const CREDITS = ['earned', 'adjusted_credits', 'cancelled_credits', 'transferred_in'] as const;
const DEBITS = [
  'spent',
  'expired',
  'adjusted_debits',
  'cancelled_debits',
  'refunded',
  'transferred_out',
  'breakage',
] as const;
type Figure = (typeof CREDITS)[number] | (typeof DEBITS)[number];

let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
beforeAll(async () => {
  clock = testClock();
  ledger = await testLedger({ now: () => clock.now().getTime() });
});
afterAll(() => ledger.drop());

const units = (decimal: number) => Math.round(decimal * 10_000);
const iso = (at: number) => new Date(at).toISOString();

/** One thing that somebody does; what is refused changes nothing. */
type Step = {
  client: number;
  other: number;
  what: number;
  amount: number;
  hours: number;
  type: (typeof TYPES)[number];
};
const step: fc.Arbitrary<Step> = fc.record({
  client: fc.nat(CLIENTS - 1),
  other: fc.nat(CLIENTS - 1),
  what: fc.nat(14),
  amount: fc.integer({ min: 1, max: 400_000 }).map((each) => each / 10_000),
  hours: fc.nat(20),
  type: fc.constantFrom(...TYPES),
});
/** Shares of the story's time; a statement may also begin or end with everything. */
const period = fc.record({
  from: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  to: fc.option(fc.double({ min: 0, max: 1.1, noNaN: true })),
  /** Whether it begins and ends at the very moments of entries. */
  atEntries: fc.boolean(),
});
type Period = { from: number | null; to: number | null; atEntries: boolean };

interface Scene {
  workspace_id: string;
  clients: string[];
  made: string[];
  locks: string[];
  /** Deleted: no caller may ask for their statement. */
  gone: Set<string>;
}

async function take(scene: Scene, { what, amount, hours, ...step }: Step): Promise<void> {
  clock.advanceMs(hours * HOUR + 1);
  const { rpc, deps, standings } = ledger;
  const { workspace_id, clients, made, locks, gone } = scene;
  const client_id = clients[step.client]!;
  const other = clients[step.other]!;
  const type = { wallet_type_code: step.type };
  const who = { workspace_id, client_id, amount, ...type };
  const source_id = `sale-${step.client}`;
  const newest = made.at(-1);
  const lock = locks.at(-1);
  const steps: (() => Promise<{ entry?: api.Entry | undefined } | unknown>)[] = [
    () => rpc.EarnPoints({ ...who, source_type: 'transaction', source_id }),
    () => rpc.EarnPoints({ ...who, pending_days: 1, expiry_days: 2 }),
    () => rpc.EarnPoints({ ...who, expiry_days: 1 }),
    () => rpc.SpendPoints(who),
    () => rpc.AdjustPoints({ ...who, description: 'more' }),
    () => rpc.AdjustPoints({ ...who, amount: -amount, description: 'less' }),
    () => rpc.LockPoints({ ...who, expires_in_seconds: 60 }),
    () => rpc.LockPoints(who),
    async () => lock && rpc.CaptureLock({ workspace_id, entry_id: lock }),
    () =>
      rpc.TransferPoints({
        workspace_id,
        amount,
        ...type,
        from_client_id: client_id,
        to_client_id: other,
      }),
    () => rpc.RefundPurchase({ workspace_id, source_id, ratio: 0.25 }),
    async () => newest && rpc.CancelEntry({ workspace_id, entry_id: newest, reason: 'wrong' }),
    async () => {
      if (step.client !== 3 || step.other === 0) return;
      const anonymized = step.other > 2;
      standings.set(client_id, anonymized ? 'anonymized' : null);
      if (!anonymized) gone.add(client_id);
      await rpc.CloseClientWallets({ workspace_id, client_id, anonymized });
    },
    async () => {
      await deps.log.drained();
      await settleDue(deps);
    },
    async () => {
      // Rare, because a wallet that ended takes no further part.
      if (step.client !== 2 || step.other === 2 || gone.has(other)) return;
      await rpc.MergeClientWallets({
        workspace_id,
        source_client_id: client_id,
        target_client_id: other,
      });
    },
  ];
  try {
    const answer = await asCaller(() => steps[what]!());
    const { entry } = (answer ?? {}) as { entry?: api.Entry };
    if (entry) (entry.type === 'lock' ? locks : made).push(entry.id);
  } catch (error) {
    if ((error as { name: string }).name !== 'Refusal') throw error;
  }
}

const inUnits = (balances: api.Balances) =>
  Object.fromEntries(Object.entries(balances).map(([name, each]) => [name, units(each)]));
const sizeOf = ({ change }: EntryDocument) => change.active + change.pending + change.locked;
const sumOf = (sizes: number[]) => sizes.reduce((sum, each) => sum + each, 0);

/** Balances from the entries alone, added up one by one. */
function balancesAt(entries: EntryDocument[], at: number) {
  const until = entries.filter(({ created_at }) => created_at.getTime() <= at);
  const [active, pending, locked] = BALANCES.map((name) =>
    sumOf(until.map(({ change }) => change[name])),
  ) as [number, number, number];
  return { active, pending, locked, total: active + pending + locked };
}

/** Where an entry belongs in a statement, written from the specification (part 4, sections 7 and 12). */
function figureOf({ type, source_type: source, ...entry }: EntryDocument): Figure | null {
  const credits = sizeOf(entry as EntryDocument) > 0;
  if (sizeOf(entry as EntryDocument) === 0) return null;
  const closes = source === 'client_deleted' || source === 'client_anonymized';
  if (closes) return credits ? 'adjusted_credits' : 'breakage';
  if (type === 'earn') return 'earned';
  if (type === 'spend') return 'spent';
  if (type === 'expire') return 'expired';
  if (type === 'adjust') return credits ? 'adjusted_credits' : 'adjusted_debits';
  if (type === 'transfer_in' || type === 'transfer_out')
    return credits ? 'transferred_in' : 'transferred_out';
  if (credits) return 'cancelled_credits';
  return source === 'refund' ? 'refunded' : 'cancelled_debits';
}

function walletsAt(entries: EntryDocument[], at: number) {
  const ids = [...new Set(entries.map(({ wallet_id }) => wallet_id))];
  return ids.map((id) =>
    balancesAt(
      entries.filter(({ wallet_id }) => wallet_id === id),
      at,
    ),
  );
}

/** A workspace, a wallet type and a time; without a bound: everything before, or up to now. */
interface Asked {
  scene: Scene;
  code: string;
  /** Of that wallet type, in the order of their sequences. */
  entries: EntryDocument[];
  from: number | null;
  to: number | null;
}
const questionOf = ({ scene: { workspace_id }, code, from, to }: Asked) => ({
  workspace_id,
  wallet_type_code: code,
  ...(from === null ? {} : { from_date: iso(from) }),
  ...(to === null ? {} : { to_date: iso(to) }),
});
const isWithin =
  ({ from, to }: Asked) =>
  ({ created_at }: EntryDocument) =>
    created_at.getTime() >= (from ?? 0) && created_at.getTime() <= (to ?? Number.MAX_VALUE);
const startOf = ({ from }: Asked) => (from === null ? -1 : from - 1);
const endOf = ({ to }: Asked) => to ?? clock.now().getTime();

async function checkWorkspace(asked: Asked): Promise<api.Statement> {
  const statement = await ledger.rpc.GetStatement(questionOf(asked));
  const within = asked.entries.filter(isWithin(asked));
  expect(inUnits(statement.opening!)).toEqual(balancesAt(asked.entries, startOf(asked)));
  expect(inUnits(statement.closing!)).toEqual(balancesAt(asked.entries, endOf(asked)));
  for (const name of [...CREDITS, ...DEBITS]) {
    const own = within.filter((entry) => figureOf(entry) === name).map(sizeOf);
    expect([name, units(statement[name])]).toEqual([name, Math.abs(sumOf(own))]);
  }
  const matured = within.filter(({ source_type: source }) => source === 'maturation');
  expect(units(statement.matured)).toBe(sumOf(matured.map(({ change }) => change.active)));
  const told = (names: readonly Figure[]) => sumOf(names.map((name) => units(statement[name])));
  expect(units(statement.opening!.total) + told(CREDITS) - told(DEBITS)).toBe(
    units(statement.closing!.total),
  );
  const wallets = walletsAt(asked.entries, endOf(asked));
  expect(units(statement.debts)).toBe(sumOf(wallets.map(({ active }) => Math.max(0, -active))));
  return statement;
}

/** The members' statements are parts of the workspace's: they tell the same entries, and add up to it. */
async function checkMembers(asked: Asked, whole: api.Statement): Promise<void> {
  const left = { opening: inUnits(whole.opening!), closing: inUnits(whole.closing!) };
  for (const client_id of asked.scene.clients) {
    const own = asked.entries.filter((entry) => entry.client_id === client_id);
    const [opening, closing] = [balancesAt(own, startOf(asked)), balancesAt(own, endOf(asked))];
    for (const name of [...BALANCES, 'total'] as const) {
      left.opening[name]! -= opening[name];
      left.closing[name]! -= closing[name];
    }
    if (asked.scene.gone.has(client_id)) continue;
    const statement = await ledger.rpc.GetClientStatement({ ...questionOf(asked), client_id });
    expect(inUnits(statement.opening!)).toEqual(opening);
    expect(inUnits(statement.closing!)).toEqual(closing);
    const newestFirst = own.filter(isWithin(asked)).reverse();
    expect(statement.entries.map(({ id }) => id)).toEqual(newestFirst.map(({ _id }) => _id));
    expect(statement.entries.map(({ balance_after }) => units(balance_after))).toEqual(
      newestFirst.map(({ after }) => after.active),
    );
  }
  const nothing = { active: 0, pending: 0, locked: 0, total: 0 };
  expect(left).toEqual({ opening: nothing, closing: nothing });
}

/** What is owed at a moment is what point-in-time balances of all wallets say, of each wallet type and of all. */
async function checkSummary(all: EntryDocument[], asked: Asked, statement: api.Statement) {
  const { wallet_type_code: _all, ...question } = questionOf(asked);
  const summary = await ledger.rpc.SummarizePoints(question);
  const owedOf = (entries: EntryDocument[]) => {
    const wallets = walletsAt(entries, endOf(asked));
    return {
      active_liability: sumOf(wallets.map(({ active }) => Math.max(0, active))),
      pending_liability: sumOf(wallets.map(({ pending }) => pending)),
      locked: sumOf(wallets.map(({ locked }) => locked)),
    };
  };
  const toldBy = ({ active_liability, pending_liability, locked }: api.Summary) =>
    inUnits({ active_liability, pending_liability, locked } as never);
  expect(toldBy(summary)).toEqual(owedOf(all));
  const own = summary.by_wallet_type.find((each) => each.wallet_type_code === asked.code)!;
  expect(toldBy(own as never)).toEqual(owedOf(asked.entries));
  const { closing, debts } = statement;
  expect(units(own.active_liability)).toBe(units(closing!.active) + units(debts));
  expect(units(own.pending_liability)).toBe(units(closing!.pending));
  expect(units(own.locked)).toBe(units(closing!.locked));
  for (const name of ['earned', 'expired'] as const)
    expect(units(own[name])).toBe(units(statement[name]));
  for (const name of ['earned', 'spent', 'expired', 'cancelled', 'adjusted'] as const)
    expect(units(summary[name])).toBe(
      sumOf(summary.by_wallet_type.map((each) => units(each[name]))),
    );
}

/** A time within a story. */
function boundsOf({ from, to, atEntries }: Period, entries: EntryDocument[], start: number) {
  const end = clock.now().getTime();
  const at = (share: number | null) => {
    if (share === null) return null;
    const moment = Math.floor(start + (end - start) * share);
    if (!atEntries) return moment;
    const index = Math.min(entries.length - 1, Math.floor(entries.length * share));
    return entries[index]?.created_at.getTime() ?? moment;
  };
  const [first, last] = [at(from), at(to)];
  const isBackwards = first !== null && last !== null && first > last;
  return isBackwards ? { from: last, to: first } : { from: first, to: last };
}

test('statements of any time close to the last decimal, for the workspace, its members and each wallet type, and agree with what is owed', async () => {
  const stories = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' });
  const periods = fc.array(period, { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), stories, periods, async (owes, story, times) => {
      const rules = { allow_negative_balance: owes };
      const workspace_id = await testWorkspace(ledger, rules);
      await ledger.rpc.CreateWalletType({ workspace_id, code: 'stamps', name: 'Stamps', ...rules });
      const clients = Array.from({ length: CLIENTS }, newId);
      const scene = { workspace_id, clients, made: [], locks: [], gone: new Set<string>() };
      const start = clock.now().getTime();
      for (const each of story) await take(scene, each);
      const all = await ledger.deps.entries.collection
        .find({ workspace_id })
        .sort({ created_at: 1, _id: 1 })
        .toArray();
      for (const time of times) {
        const bounds = boundsOf(time, all, start);
        for (const code of TYPES) {
          const entries = all
            .filter((entry) => entry.wallet_type_code === code)
            .sort((a, b) => a.sequence - b.sequence);
          const asked = { scene, code, entries, ...bounds };
          const statement = await checkWorkspace(asked);
          await checkMembers(asked, statement);
          await checkSummary(all, asked, statement);
        }
      }
    }),
    { ...propertySettings(6), endOnFailure: true },
  );
});
