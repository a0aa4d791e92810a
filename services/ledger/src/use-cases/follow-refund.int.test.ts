import {
  type CloudEvent,
  createEvent,
  findDefinition,
  listenerFor,
  type TransactionRecorded,
} from '@laurel/events';
import { groupBy, newId, runInContext, systemContext } from '@laurel/lifecycle';
import { propertySettings } from '@laurel/testing';
import { toDecimal, toUnits, unitsOf } from '@laurel/values/amount';
import fc from 'fast-check';
import { consumers } from '../consumers';
import type { Deps } from '../deps';
import { toEvent } from '../store/entry-event';
import type { PurchaseRefundsDocument } from '../store/purchase-refunds';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { finishRefunds } from './finish-refunds';
import { quotePurchaseRefund } from './quote-purchase-refund';
import { refundPurchase } from './refund-purchase';

const MEMBERS = 3;
const TYPES = ['points', 'stamps'] as const;
type TypeCode = (typeof TYPES)[number];

let replicas: TestLedger[];
beforeAll(async () => {
  const ledger = await testLedger();
  replicas = [ledger, await ledger.replica()];
});
afterAll(async () => {
  await replicas[1]!.deps.log.drained();
  await replicas[0]!.drop();
});

/** What one of the members does. Their tills count orders from 0, so that all use the same few numbers. */
type Step = { member: number; other: number; order: number } & (
  | { do: 'sale'; paid: number; earned: Earned[] }
  | { do: 'catch up' }
  | { do: 'earn'; type: TypeCode; amount: number }
  | { do: 'refund'; share: number; copies: number; isBroke: boolean }
  | { do: 'refund one'; share: number; copies: number; pick: number }
  | { do: 'spend'; type: TypeCode; amount: number }
  | { do: 'cancel'; pick: number }
  | { do: 'merge' }
);

/** What a rule, or somebody by the order's number, gives for a sale; a rule may come to it late. */
interface Earned {
  type: TypeCode;
  amount: number;
  by: 'number' | 'event' | 'late event';
}

const amount = fc.integer({ min: 1, max: 2_000_000 }).map((units) => units / 10_000);
const type = fc.constantFrom(...TYPES);
const constant = <T extends string>(name: T) => fc.constant(name);
const by = fc.constantFrom<Earned['by']>('number', 'event', 'late event', 'late event');
const earned = fc.array(fc.record({ type, amount, by }), { maxLength: 3 });
const doing = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: constant('sale'),
      paid: fc.integer({ min: 1, max: 20_000 }).map((cents) => cents / 100),
      earned,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: constant('refund'),
      share: fc.integer({ min: 1, max: 120 }).map((percent) => percent / 100),
      copies: fc.integer({ min: 1, max: 3 }),
      // The member has spent everything by then.
      isBroke: fc.constantFrom(true, false, false),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: constant('refund one'),
      share: fc.integer({ min: 1, max: 110 }).map((percent) => percent / 100),
      copies: fc.integer({ min: 1, max: 3 }),
      pick: fc.nat(20),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: constant('earn'), type, amount }) },
  { weight: 3, arbitrary: fc.record({ do: constant('spend'), type, amount }) },
  { weight: 2, arbitrary: fc.record({ do: constant('cancel'), pick: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: constant('catch up') }) },
  { weight: 1, arbitrary: fc.record({ do: constant('merge') }) },
);
const step = fc
  .tuple(doing, fc.nat(MEMBERS - 1), fc.nat(MEMBERS - 2), fc.nat(1))
  .map(([what, member, other, order]): Step => ({ ...what, member, other, order }));
const stories = fc.array(step, { minLength: 20, maxLength: 40, size: 'max' });

interface Sale {
  id: string;
  holder: string;
  order: string;
  /** In cents. */
  paid: number;
}
interface Refund {
  sales: string[];
  cents: number;
  /** Of all these sales then, in cents. */
  paid: number;
  /** All sales that had the number then, where these were only some of them. */
  together: { ids: string[]; paid: number } | null;
}
/** Sales that are refunded together, whether by their number or one by one; cents. */
interface Group {
  ids: string[];
  paid: number;
}
/** What a member was credited, by what the ledger answered; units. */
interface Earn {
  id: string;
  holder: string;
  type: TypeCode;
  name: string;
  amount: number;
}

/** What the members know of themselves: written from the specification, without the platform's code. */
class Books {
  readonly sales: Sale[] = [];
  readonly refunds: Refund[] = [];
  readonly earns: Earn[] = [];
  readonly reversed = new Map<string, number>();
  /** What rules have not come to yet. */
  readonly waiting: Omit<Earn, 'id'>[] = [];
  /** Wallets that could not give what was due of them once: that is not made good later. */
  readonly short = new Set<string>();
  constructor(
    readonly workspaceId: string,
    readonly clients: string[],
  ) {}

  leftOf({ id, amount: credited }: Earn): number {
    return credited - (this.reversed.get(id) ?? 0);
  }

  /** How much was given back of just these sales, by their number or one by one while it was theirs; cents. */
  backOf({ ids }: Group): number {
    const isThese = (some: string[] | undefined) => some?.join() === ids.join();
    return this.refunds
      .filter(({ sales, together }) => isThese(sales) || isThese(together?.ids))
      .reduce((sum, { cents }) => sum + cents, 0);
  }

  /** Whether sales that one is refunded together with, or it alone, have been given back to the last cent. */
  isGone(sale: string): boolean {
    const groups = this.refunds.flatMap(({ sales, paid, together }): Group[] => [
      { ids: sales, paid },
      ...(together ? [together] : []),
    ]);
    return groups.some((group) => group.ids.includes(sale) && this.backOf(group) >= group.paid);
  }

  /** The sales of a client under an order number, and how much of what was paid for them is left; cents. */
  saleOf(holder: string, order: string) {
    const sales = this.sales.filter((sale) => sale.holder === holder && sale.order === order);
    const ids = sales.map(({ id }) => id);
    const paid = sales.reduce((sum, sale) => sum + sale.paid, 0);
    const back = this.refunds
      .filter((refund) => refund.sales.some((id) => ids.includes(id)))
      .reduce((sum, { cents }) => sum + cents, 0);
    const shared: NamedSales[] = [];
    return { ids, paid, left: paid - back, names: [...ids, order], shared };
  }

  /** The same of one of them, under a name that the others do not have; the order's number is theirs together. */
  oneSaleOf(holder: string, order: string, pick: number) {
    const { left: _left, ...together } = this.saleOf(holder, order);
    const id = together.ids[pick % together.ids.length];
    const sale = this.sales.find((one) => one.id === id);
    if (!sale || together.ids.length === 1) return this.saleOf(holder, order);
    const back = this.refunds
      .filter((refund) => refund.sales.includes(sale.id))
      .reduce((sum, { cents }) => sum + cents, 0);
    const { paid } = sale;
    const shared = [{ ...together, names: [order] }];
    return { ids: [sale.id], paid, left: paid - back, names: [sale.id], shared };
  }
}

async function balancesOf({ workspaceId, clients }: Books): Promise<Map<string, number>> {
  const wanted = { workspace_id: workspaceId, client_ids: clients };
  const { heads } = await replicas[0]!.rpc.ListWalletHeads(wanted);
  return new Map(
    heads.map((head) => [
      `${head.client_id} ${head.wallet_type_code}`,
      toUnits(head.active_balance),
    ]),
  );
}

/** Credits somebody; answers with what the ledger tells of it then. */
async function give(
  books: Books,
  holder: string,
  one: Omit<Earn, 'id' | 'holder'>,
): Promise<CloudEvent> {
  const { entry } = await asCaller(() =>
    replicas[0]!.rpc.EarnPoints({
      workspace_id: books.workspaceId,
      client_id: holder,
      wallet_type_code: one.type,
      amount: toDecimal(toUnits(one.amount)),
      source_type: 'transaction',
      source_id: one.name,
    }),
  );
  books.earns.push({ ...one, id: entry!.id, holder, amount: toUnits(entry!.amount) });
  return toEvent((await replicas[0]!.deps.entries.find(books.workspaceId, entry!.id))!);
}

const tellOfEarn = (event: CloudEvent) => deliver('ledger.late-earns', event, 2);

async function earn(books: Books, holder: string, one: Omit<Earn, 'id' | 'holder'>) {
  await tellOfEarn(await give(books, holder, one));
}

const isNear = (one: number, other: number, within: number) => Math.abs(one - other) <= within;

/** Rules give for sales whose refunds they never heard of, all at once: these take their shares of it at once. */
async function earnLate(books: Books, late: readonly Omit<Earn, 'id'>[]): Promise<void> {
  const before = await balancesOf(books);
  const events: CloudEvent[] = [];
  for (const { holder, ...one } of late) events.push(await give(books, holder, one));
  await Promise.all(events.map(tellOfEarn));
  const after = await balancesOf(books);
  const others = losses(before, after);
  for (const [wallet, earns] of groupBy(late, ({ holder, type: code }) => `${holder} ${code}`)) {
    others.delete(wallet);
    const parts = earns.map((one) => ({ ...one, ...lateShare(books, one) }));
    const sum = (of: (part: (typeof parts)[number]) => number) =>
      parts.reduce((all, part) => all + of(part), 0);
    const credited = sum((part) => part.credited);
    const taken = credited - ((after.get(wallet) ?? 0) - (before.get(wallet) ?? 0));
    const isDue = isNear(
      taken,
      sum((part) => part.due),
      sum((part) => 1 + part.refunds.length),
    );
    expect({ parts, taken, isDue }).toEqual({ parts, taken, isDue: true });
  }
  expect([...others]).toEqual([]);
  await noteReversals(books);
}

/** What of a late earn the refunds of its sale take, in units. */
function lateShare(books: Books, { name, amount: given }: Omit<Earn, 'id'>) {
  const refunds = books.refunds.filter(({ sales }) => sales.includes(name));
  const credited = toUnits(given);
  const shares = refunds.reduce((sum, { cents, paid }) => sum + (credited * cents) / paid, 0);
  // Nothing stays of what all the money was given back for.
  const due = books.isGone(name) ? credited : Math.min(credited, shares);
  return { refunds, credited, due };
}

const MINUTE_MS = 60_000;

/** What is done by the clock, a minute later. */
const finishLater = ({ deps }: TestLedger) =>
  finishRefunds({ ...deps, now: (workspaceId) => deps.now(workspaceId) + MINUTE_MS });

/** That is nothing once every event was heard: what could not be taken then stays. */
async function sweep(books: Books): Promise<void> {
  const before = await balancesOf(books);
  await finishLater(replicas[1]!);
  expect(await balancesOf(books)).toEqual(before);
}

const listenerOf = (deps: Deps, queue: string, { type: name }: CloudEvent) =>
  listenerFor(consumers(deps).find((one) => one.queue === queue)!, name)!;

/** Hands an event to the consumers of both replicas at once, and once more to one. */
async function deliver(queue: string, event: CloudEvent, copies: number): Promise<void> {
  const listeners = replicas.map(({ deps }) => listenerOf(deps, queue, event));
  await Promise.all(
    Array.from({ length: copies }, (_, copy) => listeners[copy % 2]!(event, async () => undefined)),
  );
  await listeners[0]!(event, async () => undefined);
}

/** When it hears of a refund, the ledger takes what that says beforehand. */
async function tellOfRefund(books: Books, holder: string, told: Told): Promise<void> {
  const before = await balancesOf(books);
  const { taken } = await replicas[0]!.rpc.QuoteRefund({
    workspace_id: books.workspaceId,
    client_id: holder,
    event_ids: told.ids,
    names: told.names,
    paid: told.paid / 100,
    refunded: told.cents / 100,
    shared: (told.shared ?? []).map(({ ids, names, paid }) => ({
      event_ids: ids,
      names,
      paid: paid / 100,
      refunded: told.cents / 100,
    })),
    merging: told.merging ?? [],
  });
  expect(await balancesOf(books)).toEqual(before);
  await deliver('ledger.transactions', refundEvent(books, holder, told), told.copies);
  // Refunds of some of the same sales that are on their way still come first, and no caller knows of them.
  if (told.earlier?.length) return;
  const foretold = taken.map(({ wallet_type_code: code, amount }) => [code, toUnits(-amount)]);
  const lost = [...losses(before, await balancesOf(books))];
  expect(new Map(lost.map(([wallet, units]) => [wallet.split(' ')[1], units]))).toEqual(
    new Map(foretold as [string, number][]),
  );
}

function refundEvent(books: Books, holder: string, told: Omit<Told, 'copies'>) {
  const example = structuredClone(findDefinition('transaction.refund')!.example);
  const { id = newId(), earlier = [] } = told;
  return createEvent('transaction.refund', {
    workspaceId: books.workspaceId,
    subject: holder,
    data: {
      ...(example as TransactionRecorded),
      id,
      workspace_id: books.workspaceId,
      client_id: holder,
      amount: told.cents / 100,
      refund_link: 'linked',
      refunded_sales: {
        ...salesOf(told),
        ...(told.merging ? { merging: told.merging } : {}),
        ...(earlier.length > 0
          ? {
              earlier: earlier.map((one) => ({
                refund_id: one.id!,
                refunded: one.cents / 100,
                ...salesOf(one),
              })),
            }
          : {}),
      },
    },
  });
}
const salesOf = ({ shared = [], cents, ...own }: Omit<Told, 'copies' | 'id' | 'earlier'>) => ({
  ...namedSalesOf(own),
  ...(shared.length > 0
    ? { shared: shared.map((sales) => ({ ...namedSalesOf(sales), refunded: cents / 100 })) }
    : {}),
});
const namedSalesOf = ({ ids, names, paid }: NamedSales) => ({
  event_ids: ids,
  names,
  amount: paid / 100,
});
interface NamedSales {
  ids: string[];
  names: string[];
  paid: number;
}
interface Told extends NamedSales {
  cents: number;
  copies: number;
  /** All sales under the names that others have, too. */
  shared?: NamedSales[];
  id?: string;
  /** Refunds before it of some of the same sales. */
  earlier?: Omit<Told, 'copies'>[];
  /** Clients that are becoming part of the one whose it is. */
  merging?: string[];
}

/** How much less each balance is than it was. */
function losses(before: Map<string, number>, after: Map<string, number>): Map<string, number> {
  const lost = new Map<string, number>();
  for (const wallet of new Set([...before.keys(), ...after.keys()])) {
    const difference = (before.get(wallet) ?? 0) - (after.get(wallet) ?? 0);
    if (difference !== 0) lost.set(wallet, difference);
  }
  return lost;
}

type Refunding = Step & { do: 'refund' | 'refund one' };

async function refund(books: Books, holder: string, step: Refunding, owes: boolean) {
  const order = String(step.order);
  const { left, ...sales } =
    step.do === 'refund' ? books.saleOf(holder, order) : books.oneSaleOf(holder, order, step.pick);
  const { ids, paid, shared } = sales;
  const cents = Math.round(paid * step.share);
  // What fits no sale, or is more than is left of it, is not linked, and the ledger hears of no sales.
  if (cents < 1 || cents > left) return;
  const before = await balancesOf(books);
  await tellOfRefund(books, holder, { ...sales, cents, copies: step.copies });
  const lost = losses(before, await balancesOf(books));
  const isLast = (group: Group) => books.backOf(group) + cents >= group.paid;

  for (const code of TYPES) {
    const wallet = `${holder} ${code}`;
    const taken = lost.get(wallet) ?? 0;
    lost.delete(wallet);
    const earnsUnder = (names: string[]) =>
      books.earns.filter(
        (one) => one.holder === holder && one.type === code && names.includes(one.name),
      );
    const total = (names: string[], sum: (one: Earn) => number) =>
      earnsUnder(names).reduce((all, one) => all + sum(one), 0);
    const restOf = (names: string[]) => total(names, (one) => books.leftOf(one));
    const parts = [sales, ...shared].map((part) => {
      const rest = restOf(part.names);
      const share = (total(part.names, (one) => one.amount) * cents) / part.paid;
      return {
        rest,
        share: Math.min(share, rest),
        due: isLast(part) ? rest : Math.min(share, rest),
      };
    });
    const sum = (of: (part: (typeof parts)[number]) => number) =>
      parts.reduce((all, part) => all + of(part), 0);
    // With the last of the money for several sales goes all that any of them earned.
    const gone = shared.filter(isLast).map((part) => restOf([...part.names, ...part.ids]));
    const rest = gone[0] ?? sum((part) => part.rest);
    const there = owes ? Number.POSITIVE_INFINITY : (before.get(wallet) ?? 0);
    const all = gone[0] ?? sum((part) => part.due);
    const due = Math.min(all, there);
    const isShort = books.short.has(wallet);
    const least = isShort
      ? Math.min(
          sum((part) => part.share),
          there,
        )
      : due;
    if (all > there) books.short.add(wallet);
    // The share of each earn is rounded to whole units.
    const isDue = taken >= least - parts.length && taken <= due + parts.length;
    expect({ code, taken, least, due, rest, isDue }).toEqual({
      code,
      taken,
      least,
      due,
      rest,
      isDue: true,
    });
    expect(taken).toBeGreaterThanOrEqual(0);
    expect(taken).toBeLessThanOrEqual(rest);
  }
  const together = shared[0] ? { ids: shared[0].ids, paid: shared[0].paid } : null;
  books.refunds.push({ sales: ids, cents, paid, together });
  // Those left in here lost points by the refund of another.
  expect([...lost]).toEqual([]);
  await noteReversals(books);
}

/** What the log says was taken back of each earn: of the earns of this story, and no more than each gave. */
async function noteReversals(books: Books): Promise<void> {
  const cancels = await replicas[0]!.deps.entries.collection
    .find({ workspace_id: books.workspaceId, type: 'cancel', source_id: { $ne: null } })
    .toArray();
  books.reversed.clear();
  for (const { source_id, amount: moved } of cancels)
    books.reversed.set(source_id!, (books.reversed.get(source_id!) ?? 0) - moved);
  for (const one of books.earns) expect(books.leftOf(one)).toBeGreaterThanOrEqual(0);
}

async function take(books: Books, step: Step, owes: boolean): Promise<void> {
  const { workspaceId: workspace_id, clients } = books;
  const client_id = clients[step.member % clients.length]!;
  const order = String(step.order);
  const { rpc } = replicas[0]!;
  if (step.do === 'sale') {
    const id = newId();
    books.sales.push({ id, holder: client_id, order, paid: Math.round(step.paid * 100) });
    for (const { by: way, ...one } of step.earned) {
      const name = way === 'number' ? order : id;
      if (way === 'late event') books.waiting.push({ ...one, holder: client_id, name });
      else await earn(books, client_id, { ...one, name });
    }
  } else if (step.do === 'earn') {
    const { type: code, amount: given } = step;
    await earn(books, client_id, { type: code, amount: given, name: order });
  } else if (step.do === 'refund' || step.do === 'refund one') {
    if (step.do === 'refund' && step.isBroke) await spendAll(books, client_id);
    await refund(books, client_id, step, owes);
  } else if (step.do === 'spend') {
    const spend = { workspace_id, client_id, wallet_type_code: step.type, amount: step.amount };
    await refusable(() => rpc.SpendPoints(spend));
  } else if (step.do === 'cancel') {
    const one = books.earns[step.pick % (books.earns.length || 1)];
    if (one)
      await refusable(() => rpc.CancelEntry({ workspace_id, entry_id: one.id, reason: 'wrong' }));
    await noteReversals(books);
  } else if (step.do === 'catch up') {
    await earnLate(books, books.waiting.splice(0));
    await sweep(books);
  } else if (clients.length > 1) {
    const others = clients.filter((client) => client !== client_id);
    const target_client_id = others[step.other % others.length]!;
    const merge = { workspace_id, source_client_id: client_id, target_client_id };
    await rpc.MergeClientWallets(merge);
    clients.splice(clients.indexOf(client_id), 1);
    for (const row of [...books.sales, ...books.earns, ...books.waiting])
      if (row.holder === client_id) row.holder = target_client_id;
    for (const code of TYPES)
      if (books.short.has(`${client_id} ${code}`)) books.short.add(`${target_client_id} ${code}`);
  }
}

async function spendAll(books: Books, client_id: string): Promise<void> {
  const balances = await balancesOf(books);
  for (const wallet_type_code of TYPES) {
    const there = balances.get(`${client_id} ${wallet_type_code}`) ?? 0;
    if (there <= 0) continue;
    const amount = toDecimal(unitsOf(there));
    const spend = { workspace_id: books.workspaceId, client_id, wallet_type_code, amount };
    await asCaller(() => replicas[0]!.rpc.SpendPoints(spend));
  }
}

async function refusable(work: () => Promise<unknown>): Promise<void> {
  await asCaller(work).catch((error: { name: string }) => {
    if (error.name !== 'Refusal') throw error;
  });
}

test('whatever members with the same order numbers buy and bring back, a refund takes from its own member, and never more than their sale earned', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), stories, async (owes, story) => {
      const rules = { allow_negative_balance: owes };
      const workspace_id = await testWorkspace(replicas[0]!, rules);
      const stamps = { workspace_id, code: 'stamps', name: 'Stamps', ...rules };
      await replicas[0]!.rpc.CreateWalletType(stamps);
      const books = new Books(workspace_id, Array.from({ length: MEMBERS }, newId));
      for (const each of story) await take(books, each, owes);
      await earnLate(books, books.waiting.splice(0));
      await sweep(books);
      expect((await replicas[0]!.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
    }),
    { ...propertySettings(8), endOnFailure: true },
  );
});

/** What a refund of some sales took back, in units. */
async function takenBy(workspaceId: string, { id, ids }: Omit<Told, 'copies'>): Promise<number> {
  const { refunds, entries } = replicas[0]!.deps;
  const row = await refunds.find(workspaceId, `sales:${[...ids].sort().join(',')}`);
  const refund = row!.refunds.find(({ operation_id }) => operation_id === `event:${id}`)!;
  const taken = await entries.collection
    .find({ workspace_id: workspaceId, operation_id: new RegExp(`^refund:${refund.id}:`) })
    .toArray();
  return taken.reduce((sum, { amount: moved }) => sum - moved, 0);
}

/** Sales of one order's number, and a refund of all that bear it by then after each; both in cents. */
const growing = fc.array(
  fc.record({
    paid: fc.integer({ min: 100, max: 20_000 }),
    share: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  }),
  { minLength: 2, maxLength: 5 },
);

test('refunds of overlapping sales take back their whole shares, in whichever order their events arrive', async () => {
  await fc.assert(
    fc.asyncProperty(growing, fc.infiniteStream(fc.nat(99)), async (sold, dice) => {
      const workspace_id = await testWorkspace(replicas[0]!);
      const holder = newId();
      const books = new Books(workspace_id, [holder]);
      const told: Omit<Told, 'copies'>[] = [];
      for (const { paid, share } of sold) {
        const sale = newId();
        books.sales.push({ id: sale, holder, order: '1', paid });
        await earn(books, holder, { type: 'points', name: sale, amount: paid / 100 });
        const { left, ...of } = books.saleOf(holder, '1');
        const cents = Math.floor(left * share);
        if (cents < 1) continue;
        told.push({ id: newId(), ...of, cents, earlier: [...told] });
        books.refunds.push({ sales: of.ids, cents, paid: of.paid, together: null });
      }
      const events = told
        .map((each) => refundEvent(books, holder, each))
        .map((event) => ({ event, place: dice.next().value! }))
        .sort((one, other) => one.place - other.place);
      const isAtOnce = dice.next().value! % 2 === 0;
      const arrive = ({ event }: (typeof events)[number]) =>
        deliver('ledger.transactions', event, 2);
      if (isAtOnce) await Promise.all(events.map(arrive));
      else for (const each of events) await arrive(each);
      for (const one of told) {
        const taken = await takenBy(workspace_id, one);
        // The share of each earn is rounded to whole units; a point was earned for each euro.
        expect({ ...one, taken, isDue: isNear(taken, one.cents * 100, one.ids.length) }).toEqual({
          ...one,
          taken,
          isDue: true,
        });
      }
    }),
    { ...propertySettings(8), endOnFailure: true },
  );
});

test('what a rule earns after the refund gives its share back, also where the process that was at it died halfway', async () => {
  const { deps, rpc } = replicas[0]!;
  const workspace_id = await testWorkspace(replicas[0]!);
  const [client, sale] = [newId(), newId()];
  const books = new Books(workspace_id, [client]);
  const half = { ids: [sale], names: [sale], paid: 1_000, cents: 500, copies: 1 };
  await tellOfRefund(books, client, half);
  const given = { workspace_id, client_id: client, amount: 10 };
  const { entry } = await asCaller(() =>
    rpc.EarnPoints({ ...given, source_type: 'transaction', source_id: sale }),
  );
  // The step was added, and then the process was gone.
  const [purchase] = await deps.refunds.bearing(workspace_id, [sale]);
  await deps.refunds.addStep(purchase!, purchase!.refunds[0]!, {
    entry_id: entry!.id,
    due: toUnits(5),
  });
  const later = await replicas[0]!.replica({ now: () => Date.now() + 60_000 });
  await finishRefunds(later.deps);
  await later.deps.log.drained();
  expect([...(await balancesOf(books)).values()]).toEqual([toUnits(5)]);
  expect((await deps.refunds.bearing(workspace_id, [sale]))[0]).toMatchObject({
    refunds: [{ done: true }],
  });
  expect(await deps.refunds.unfinished(10)).toEqual([]);
});

describe('what a refund could not take stays, though the member has other points by then', () => {
  /** Of the 100 points for a sale none is there when half of its money is given back; 60 come from elsewhere afterwards. */
  async function fallenShort() {
    const { deps, rpc } = replicas[0]!;
    const workspace_id = await testWorkspace(replicas[0]!);
    const [client_id, sale] = [newId(), newId()];
    const client = { workspace_id, client_id };
    const books = new Books(workspace_id, [client_id]);
    await earn(books, client_id, { type: 'points', name: sale, amount: 100 });
    await asCaller(() => rpc.SpendPoints({ ...client, amount: 100 }));
    const half = { ids: [sale], names: [sale], paid: 1_000, cents: 500, copies: 2 };
    await tellOfRefund(books, client_id, half);
    await asCaller(() => rpc.EarnPoints({ ...client, amount: 60 }));
    return {
      books,
      giveLate: () => give(books, client_id, { type: 'points', name: sale, amount: 10 }),
      row: async () => (await deps.refunds.bearing(workspace_id, [sale]))[0]!,
      balance: async () => [...(await balancesOf(books)).values()].map((units) => units / 10_000),
    };
  }

  /** The processes, each of which has seen the refund before any adds to it. */
  function havingLooked(): Deps[] {
    let looks = 0;
    let goOn: () => void;
    const all = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return replicas.map(({ deps }) => {
      const bearing: typeof deps.refunds.bearing = async (...asked) => {
        const seen = await deps.refunds.bearing(...asked);
        looks += 1;
        if (looks === replicas.length) goOn();
        await all;
        return seen;
      };
      return { ...deps, refunds: { ...deps.refunds, bearing } };
    });
  }

  test('where rules give for its sale at once', async () => {
    const { books, giveLate, row, balance } = await fallenShort();
    const events = [await giveLate(), await giveLate()];
    await Promise.all(
      havingLooked().map((deps, at) =>
        listenerOf(deps, 'ledger.late-earns', events[at]!)(events[at]!, async () => undefined),
      ),
    );
    expect(await balance()).toEqual([70]);
    const { refunds, open } = await row();
    expect({ refunds, open }).toMatchObject({ refunds: [{ done: true }], open: undefined });
    await sweep(books);
  });

  test('where it was done after a process had looked that adds to it', async () => {
    const { books, giveLate, row, balance } = await fallenShort();
    const { deps } = replicas[0]!;
    const { refunds, ...purchase } = await row();
    const before = { ...purchase, refunds: refunds.map((one) => ({ ...one, done: false })) };
    const late = { ...deps, refunds: { ...deps.refunds, bearing: async () => [before] } };
    const event = await giveLate();
    await listenerOf(late, 'ledger.late-earns', event)(event, async () => undefined);
    expect(await balance()).toEqual([65]);
    expect((await row()).open).toBeUndefined();
    await sweep(books);
  });

  test('where the share of what a rule gave could not be taken at first', async () => {
    const { giveLate, balance } = await fallenShort();
    const { deps } = replicas[0]!;
    const event = await giveLate();
    const find = () => Promise.reject(new Error('a document that cannot be read'));
    const faulty = { ...deps, walletTypes: { ...deps.walletTypes, find } };
    const heard = listenerOf(faulty, 'ledger.late-earns', event)(event, async () => undefined);
    await expect(heard).rejects.toThrow('cannot be read');
    await tellOfEarn(event);
    expect(await balance()).toEqual([70]);
    await finishLater(replicas[1]!);
    expect(await balance()).toEqual([65]);
  });

  test('where a process of the version before added to it, and died', async () => {
    const { books, giveLate, row, balance } = await fallenShort();
    await tellOfEarn(await giveLate());
    expect(await balance()).toEqual([65]);
    await giveLate();
    const { _id } = await row();
    const step = { entry_id: books.earns.at(-1)!.id, due: toUnits(5) };
    const rows = replicas[0]!.connection.collection<PurchaseRefundsDocument>('purchase_refunds');
    const { modifiedCount } = await rows.updateOne(
      { _id },
      {
        $push: { 'refunds.0.steps': step },
        $set: { 'refunds.0.done': false, open: true },
      },
    );
    expect(modifiedCount).toBe(1);
    await finishLater(replicas[1]!);
    expect(await balance()).toEqual([70]);
    expect((await row()).open).toBeUndefined();
  });
});

test('a refund that is asked for takes no more of a sale than refund events left of it', async () => {
  const { deps, rpc } = replicas[0]!;
  const workspace_id = await testWorkspace(replicas[0]!);
  const [client, sale] = [newId(), newId()];
  const given = { workspace_id, client_id: client, amount: 30 };
  await asCaller(() => rpc.EarnPoints({ ...given, source_type: 'transaction', source_id: sale }));
  const books = new Books(workspace_id, [client]);
  const third = { ids: [sale], names: [sale], paid: 3_000, cents: 1_000, copies: 1 };
  await tellOfRefund(books, client, third);
  const asked = { workspace_id, source_id: sale, purchase_amount: 30 };
  const refund = (amount: number) =>
    asCaller(() => rpc.RefundPurchase({ ...asked, amount, external_id: `return of ${amount}` }));
  const tooLarge = { problems: [{ field: 'amount', extensions: { reason: 'refund_too_large' } }] };
  await expect(refund(20.01)).rejects.toMatchObject(tooLarge);
  await expect(
    asCaller(() => quotePurchaseRefund(deps, { ...asked, amount: 20.01 })),
  ).rejects.toMatchObject(tooLarge);
  expect(await refund(20)).toMatchObject({ refunded_points: 20, shortfall: 0 });
  expect(await refund(20)).toMatchObject({ refunded_points: 20, replayed: true });
});

/** What a member paid for two sales of one number, in cents, as a refund of the first tells of it. */
const FIRST = { names: [] as string[], paid: 6_000, cents: 6_000, copies: 2 };
const TOGETHER = { names: ['X'], paid: 10_000 };

async function twoSales(earned: number[]) {
  const workspace_id = await testWorkspace(replicas[0]!);
  const [client_id, first, second] = [newId(), newId(), newId()];
  for (const amount of earned)
    await asCaller(() =>
      replicas[0]!.rpc.EarnPoints({
        workspace_id,
        client_id,
        amount,
        source_type: 'transaction',
        source_id: 'X',
      }),
    );
  const books = new Books(workspace_id, [client_id]);
  const shared = [{ ...TOGETHER, ids: [first, second] }];
  const tell = (told: Partial<Told>) =>
    tellOfRefund(books, client_id, { ...FIRST, ids: [first], names: [first], shared, ...told });
  const balance = async () =>
    [...(await balancesOf(books)).values()].map((units) => units / 10_000);
  const deliverAgain = (told: Omit<Told, 'copies'>) =>
    deliver('ledger.transactions', refundEvent(books, client_id, told), 2);
  return { workspace_id, client_id, first, second, shared, tell, deliverAgain, balance };
}

test.each([[[100]], [[60, 40]]])(
  'a refund of one of two sales of a number takes its part of what %p were given for the number, and one by the number the rest',
  async (earned) => {
    const { first, second, tell, balance } = await twoSales(earned);
    await tell({});
    expect(await balance()).toEqual([40]);
    const rest = { ...TOGETHER, ids: [first, second], names: ['X', first, second], shared: [] };
    await tell({ ...rest, cents: 4_000 });
    expect(await balance()).toEqual([0]);
  },
);

test('what a rule gives late for a sale goes back by the refunds of that sale, and not by those of another with its number', async () => {
  const { workspace_id, client_id, first, second, tell, balance } = await twoSales([]);
  await tell({});
  const books = new Books(workspace_id, [client_id]);
  await earn(books, client_id, { type: 'points', name: second, amount: 40 });
  expect(await balance()).toEqual([40]);
  await earn(books, client_id, { type: 'points', name: first, amount: 60 });
  expect(await balance()).toEqual([40]);
});

test.each(['on time', 'late'])(
  'of sales whose money has all been given back nothing stays, though the one that earned it was refunded with another: a rule that is %s',
  async (when) => {
    const { workspace_id, client_id, first, second, tell, balance } = await twoSales([]);
    const books = new Books(workspace_id, [client_id]);
    const give = () => earn(books, client_id, { type: 'points', name: second, amount: 40 });
    if (when === 'on time') await give();
    await tell({});
    if (when === 'on time') expect(await balance()).toEqual([40]);
    const rest = { ...TOGETHER, ids: [first, second], names: ['X', first, second], shared: [] };
    await tell({ ...rest, cents: 4_000 });
    if (when === 'late') await give();
    expect(await balance()).toEqual([0]);
  },
);

test.each(['on time', 'late'])(
  'the same where the refund of one of them alone comes last: a rule that is %s',
  async (when) => {
    const { workspace_id, client_id, first, second, tell, balance } = await twoSales([]);
    const books = new Books(workspace_id, [client_id]);
    const give = () => earn(books, client_id, { type: 'points', name: second, amount: 40 });
    if (when === 'on time') await give();
    const rest = { ...TOGETHER, ids: [first, second], names: ['X', first, second], shared: [] };
    await tell({ ...rest, cents: 4_000 });
    await tell({});
    if (when === 'late') await give();
    expect(await balance()).toEqual([0]);
  },
);

test('what a refund could not take is not made good by the last one of its sales', async () => {
  const { workspace_id, client_id, first, second, tell, balance } = await twoSales([]);
  const { rpc } = replicas[0]!;
  const books = new Books(workspace_id, [client_id]);
  await earn(books, client_id, { type: 'points', name: first, amount: 100 });
  const client = { workspace_id, client_id };
  await asCaller(() => rpc.SpendPoints({ ...client, amount: 70 }));
  const both = { ...TOGETHER, ids: [first, second], names: ['X', first, second], shared: [] };
  await tell({ ...both, cents: 5_000 });
  expect(await balance()).toEqual([0]);
  await asCaller(() => rpc.EarnPoints({ ...client, amount: 200 }));
  await tell({ ...both, cents: 5_000 });
  expect(await balance()).toEqual([150]);
});

test('a refund of one of several sales that another event tells of beforehand is through with all its parts, once', async () => {
  const { first, second, shared, tell, deliverAgain, balance } = await twoSales([100]);
  const before = { ...FIRST, id: newId(), ids: [first], names: [first], shared };
  const rest = { ...TOGETHER, ids: [first, second], names: ['X', first, second], shared: [] };
  await tell({ ...rest, cents: 1_000, earlier: [before] });
  expect(await balance()).toEqual([30]);
  await deliverAgain(before);
  expect(await balance()).toEqual([30]);
});

test('a refund takes its share though one of nothing, of a sale that was free, came just before it', async () => {
  const workspace_id = await testWorkspace(replicas[0]!);
  const [client, free, paid] = [newId(), newId(), newId()];
  const books = new Books(workspace_id, [client]);
  await earn(books, client, { type: 'points', name: paid, amount: 50 });
  const nothing = { id: newId(), ids: [free], names: [free], paid: 0, cents: 0 };
  const both = { ids: [free, paid].sort(), names: ['X', free, paid], paid: 5_000 };
  const event = refundEvent(books, client, { ...both, cents: 2_000, earlier: [nothing] });
  await deliver('ledger.transactions', event, 2);
  expect([...(await balancesOf(books)).values()]).toEqual([toUnits(30)]);
});

describe('of very many', () => {
  const MANY = 1_001;
  const giveOften = (books: Books, client_id: string, source_id: string) =>
    Promise.all(
      Array.from({ length: MANY }, () =>
        asCaller(() =>
          replicas[0]!.rpc.EarnPoints({
            workspace_id: books.workspaceId,
            client_id,
            wallet_type_code: 'points',
            amount: 1,
            source_type: 'transaction',
            source_id,
          }),
        ),
      ),
    );

  test('earns of one name a refund takes none, and of its sale what was given for that alone', async () => {
    const workspace_id = await testWorkspace(replicas[0]!);
    const [client, sale] = [newId(), newId()];
    const books = new Books(workspace_id, [client]);
    await giveOften(books, client, 'X');
    await earn(books, client, { type: 'points', name: sale, amount: 50 });
    const told = { ids: [sale], names: ['X', sale], paid: 5_000, cents: 5_000 };
    await tellOfRefund(books, client, { ...told, copies: 2 });
    expect([...(await balancesOf(books)).values()]).toEqual([toUnits(MANY)]);
    const rows = await replicas[0]!.deps.refunds.bearing(workspace_id, [sale]);
    expect(rows.flatMap(({ refunds }) => refunds.map(({ steps }) => steps.length))).toEqual([1]);
  });

  test('sales, which the release before took for one payment, a refund takes nothing', async () => {
    const workspace_id = await testWorkspace(replicas[0]!);
    const client = newId();
    const books = new Books(workspace_id, [client]);
    const ids = Array.from({ length: 101 }, newId).sort();
    await earn(books, client, { type: 'points', name: ids[0]!, amount: 50 });
    const told = { ids, names: ['X', ...ids], paid: 10_100, cents: 10_100 };
    await deliver('ledger.transactions', refundEvent(books, client, told), 2);
    expect([...(await balancesOf(books)).values()]).toEqual([toUnits(50)]);
    expect(await replicas[0]!.deps.refunds.bearing(workspace_id, ids)).toEqual([]);
  });
});

describe('beside a merge', () => {
  const bought = { paid: 6_000, cents: 6_000 };
  async function twoClients() {
    const workspace_id = await testWorkspace(replicas[0]!);
    const [source, target, sale] = [newId(), newId(), newId()];
    const books = new Books(workspace_id, [source, target]);
    const told = { ...bought, ids: [sale], names: [sale, 'X'], copies: 2 };
    const refunded = (holder: string, more: Partial<Told> = {}) =>
      deliver('ledger.transactions', refundEvent(books, holder, { ...told, ...more }), 2);
    /** The same, foretold first. */
    const foretold = (holder: string, more: Partial<Told>) =>
      tellOfRefund(books, holder, { ...told, ...more });
    const give = (holder: string, name: string) =>
      earn(books, holder, { type: 'points', name, amount: 60 });
    const merge = () =>
      replicas[0]!.rpc.MergeClientWallets({
        workspace_id,
        source_client_id: source,
        target_client_id: target,
      });
    const sum = async () =>
      [...(await balancesOf(books)).values()].reduce((all, units) => all + units, 0) / 10_000;
    return { source, target, sale, refunded, foretold, give, merge, sum };
  }

  test('a refund takes what a client was given who is becoming part of its own, whose wallets are not yet, as it is foretold', async () => {
    const { source, target, sale, refunded, foretold, give, merge, sum } = await twoClients();
    await give(source, sale);
    await give(source, 'X');
    await give(newId(), 'X');
    await foretold(target, { cents: 3_000, merging: [source] });
    expect(await sum()).toBe(60);
    await merge();
    await refunded(target, { cents: 3_000 });
    expect(await sum()).toBe(0);
  });

  test.each(['before', 'after'])(
    'a refund of one who never had points takes what whom it became is given for the sale %s it',
    async (when) => {
      const { source, target, sale, refunded, give, merge, sum } = await twoClients();
      for (const { standings } of replicas) standings.becomes(source, target);
      await merge();
      if (when === 'before') await give(target, sale);
      await refunded(source);
      if (when === 'after') await give(target, sale);
      expect(await sum()).toBe(0);
      // The sale of somebody else has another id, whatever it is called.
      await give(target, 'X');
      expect(await sum()).toBe(60);
    },
  );
});

test('a refund event leaves points of a wallet type that is switched off, and the next one does not make that good', async () => {
  const { rpc } = replicas[0]!;
  const workspace_id = await testWorkspace(replicas[0]!);
  const stamps = { workspace_id, code: 'stamps', name: 'Stamps' };
  const { id } = await rpc.CreateWalletType(stamps);
  const [client, sale] = [newId(), newId()];
  const books = new Books(workspace_id, [client]);
  await earn(books, client, { type: 'points', name: sale, amount: 100 });
  await earn(books, client, { type: 'stamps', name: sale, amount: 10 });
  const half = { ids: [sale], names: [sale], paid: 1_000, cents: 500, copies: 2 };
  await rpc.UpdateWalletType({ workspace_id, id, active: false });
  await tellOfRefund(books, client, half);
  const balances = async () => {
    const found = await balancesOf(books);
    return TYPES.map((code) => found.get(`${client} ${code}`)! / 10_000);
  };
  expect(await balances()).toEqual([50, 10]);
  await rpc.UpdateWalletType({ workspace_id, id, active: true });
  await tellOfRefund(books, client, half);
  expect(await balances()).toEqual([0, 5]);
});

describe('refunds that are asked for and refund events count as one', () => {
  const WHOLE_SALE = { paid: 10_000, cents: 10_000, copies: 2 };
  async function soldFor(amount: number) {
    const workspace_id = await testWorkspace(replicas[0]!);
    const [client_id, sale] = [newId(), newId()];
    const given = { workspace_id, client_id, amount };
    const purchase = { source_type: 'transaction', source_id: sale };
    const { rpc } = replicas[0]!;
    await asCaller(() => rpc.EarnPoints({ ...given, ...purchase }));
    const books = new Books(workspace_id, [client_id]);
    const sales = { ids: [sale], names: [sale, 'order 7'] };
    return {
      workspace_id,
      client_id,
      sale,
      tell: (told: Partial<Told> = {}) =>
        tellOfRefund(books, client_id, { ...sales, ...WHOLE_SALE, ...told }),
      event: (told: Partial<Told> = {}) =>
        refundEvent(books, client_id, { ...sales, ...WHOLE_SALE, ...told }),
      ask: (source_id: string, ratio: number, { rpc: of } = replicas[1]!) =>
        asCaller(() => of.RefundPurchase({ workspace_id, source_id, ratio })),
      earn: (more: object) => asCaller(() => rpc.EarnPoints({ ...given, ...more })),
      spend: (spent: number) => asCaller(() => rpc.SpendPoints({ ...given, amount: spent })),
      balance: async () => [...(await balancesOf(books)).values()][0]! / 10_000,
    };
  }
  const TOO_LARGE = { problems: [{ extensions: { reason: 'refund_too_large' } }] };

  test('an event makes nothing good that somebody asked for and could not get', async () => {
    const { sale, tell, ask, earn: give, spend, balance } = await soldFor(100);
    await spend(70);
    expect(await ask(sale, 1)).toMatchObject({ refunded_points: 30, shortfall: 70 });
    await give({ amount: 200 });
    await tell();
    expect(await balance()).toBe(200);
  });

  test('of a sale that was asked back in part an event takes the rest', async () => {
    const { sale, tell, ask, earn: give, spend, balance } = await soldFor(100);
    await spend(70);
    expect(await ask(sale, 0.5)).toMatchObject({ refunded_points: 30, shortfall: 20 });
    await give({ amount: 200 });
    await tell();
    expect(await balance()).toBe(150);
  });

  test('after an event nothing is left to ask for, whatever the sale is called', async () => {
    const { sale, tell, ask, earn: give, balance } = await soldFor(100);
    await give({ source_type: 'transaction', source_id: 'order 7', amount: 10 });
    await tell();
    expect(await balance()).toBe(0);
    await give({ amount: 200 });
    for (const name of [sale, 'order 7'])
      await expect(ask(name, 0.1)).rejects.toMatchObject(TOO_LARGE);
    expect(await balance()).toBe(200);
  });

  test('of a number that came again with another sale what that one earned can be asked for', async () => {
    const { tell, ask, earn: give, balance } = await soldFor(100);
    const numbered = { source_type: 'transaction', source_id: 'order 7', amount: 10 };
    await give(numbered);
    await tell();
    await give(numbered);
    expect(await ask('order 7', 1)).toMatchObject({ refunded_points: 10 });
    expect(await balance()).toBe(0);
  });

  test('also where it was a call that refunded the number before', async () => {
    const { ask, earn: give, balance } = await soldFor(100);
    const numbered = { source_type: 'transaction', source_id: 'order 7', amount: 10 };
    await give(numbered);
    expect(await ask('order 7', 0.75)).toMatchObject({ refunded_points: 7.5 });
    await give(numbered);
    expect(await ask('order 7', 0.5)).toMatchObject({ refunded_points: 7.5, shortfall: 0 });
    expect(await ask('order 7', 0.5)).toMatchObject({ refunded_points: 5, shortfall: 0 });
    await expect(ask('order 7', 0.1)).rejects.toMatchObject(TOO_LARGE);
    expect(await balance()).toBe(100);
  });

  test('of what a rule gives for a sale after a call its share goes back, and the call is answered again as it was', async () => {
    const { workspace_id, client_id, sale, ask, earn: give, balance } = await soldFor(100);
    const asked = { workspace_id, source_id: sale, ratio: 0.5, external_id: 'return' };
    const call = () => asCaller(() => replicas[1]!.rpc.RefundPurchase(asked));
    const first = await call();
    expect(first).toMatchObject({ refunded_points: 50, replayed: false });
    const purchase = { source_type: 'transaction', source_id: sale, amount: 40 };
    const byRule = systemContext({ operationId: newId(), chain: ['a rule'] });
    const late = await runInContext(byRule, () =>
      replicas[0]!.rpc.EarnPoints({ workspace_id, client_id, ...purchase }),
    );
    const { entries } = replicas[0]!.deps;
    const stored = await entries.find(workspace_id, late.entry!.id);
    await deliver('ledger.late-earns', toEvent(stored!), 2);
    expect(await balance()).toBe(70);
    expect(await call()).toEqual({ ...first, replayed: true });
    expect(await asCaller(() => quotePurchaseRefund(replicas[1]!.deps, asked))).toMatchObject({
      refunded_points: 50,
      shortfall: 0,
    });
    // What is given by hand may be for another sale of the number.
    const byHand = await give(purchase);
    const other = await entries.find(workspace_id, byHand.entry!.id);
    await deliver('ledger.late-earns', toEvent(other!), 2);
    expect(await balance()).toBe(110);
    expect(await ask(sale, 0.5)).toMatchObject({ refunded_points: 90, shortfall: 0 });
  });

  test('of somebody else whose sale has the same number, too', async () => {
    const { workspace_id, tell, ask, earn: give } = await soldFor(100);
    const numbered = { source_type: 'transaction', source_id: 'order 7', amount: 10 };
    await give(numbered);
    await tell();
    await give({ ...numbered, client_id: newId() });
    expect(await ask('order 7', 1)).toMatchObject({ refunded_points: 10 });
    expect((await replicas[0]!.rpc.VerifyLedger({ workspace_id })).problems).toEqual([]);
  });

  test('of one of several sales nothing can be asked for once a refund of them all has taken all that it earned', async () => {
    const workspace_id = await testWorkspace(replicas[0]!);
    const [client_id, first, second] = [newId(), newId(), newId()];
    const books = new Books(workspace_id, [client_id]);
    await earn(books, client_id, { type: 'points', name: first, amount: 60 });
    await earn(books, client_id, { type: 'points', name: second, amount: 40 });
    const shared = [{ ...TOGETHER, ids: [first, second] }];
    await tellOfRefund(books, client_id, { ...FIRST, ids: [first], names: [first], shared });
    const all = { ...TOGETHER, ids: [first, second], names: ['X', first, second], copies: 1 };
    await tellOfRefund(books, client_id, { ...all, cents: 2_000 });
    const ask = (source_id: string, ratio: number) =>
      asCaller(() => replicas[1]!.rpc.RefundPurchase({ workspace_id, source_id, ratio }));
    // The refund was of a fifth of both, and took half of the one that had anything left.
    await expect(ask(second, 0.51)).rejects.toMatchObject(TOO_LARGE);
    await expect(ask(first, 0.01)).rejects.toMatchObject(TOO_LARGE);
    expect(await ask(second, 0.5)).toMatchObject({ refunded_points: 20, shortfall: 0 });
  });

  test('also where both come at once, to two processes: a call is refused, or the event takes only what it left', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { sale, event, ask, earn: give, balance } = await soldFor(100);
      await give({ amount: 200 });
      const isHalf = round % 3 === 0;
      const [asked, followed] = await Promise.allSettled([
        ask(sale, 0.5, replicas[round % 2]),
        deliver('ledger.transactions', event(isHalf ? { cents: 5_000 } : {}), 2),
      ]);
      expect(followed.status).toBe('fulfilled');
      // What is granted is there: a call that an event came before is refused, and does not fall short.
      const granted = { value: { refunded_points: 50, shortfall: 0 } };
      const isRefused = asked.status === 'rejected' && !isHalf;
      expect(asked).toMatchObject(isRefused ? { reason: TOO_LARGE } : granted);
      // Together they took what the sale earned, and nothing of the other points.
      expect(await balance()).toBe(200);
      await expect(ask(sale, 0.1)).rejects.toMatchObject(TOO_LARGE);
    }
  });

  test('a call that has looked before an event was written down looks again', async () => {
    const { workspace_id, sale, tell, balance } = await soldFor(100);
    const { deps, rpc } = replicas[1]!;
    let isFirst = true;
    const ofEarns: typeof deps.refunds.ofEarns = async (...asked) => {
      const seen = await deps.refunds.ofEarns(...asked);
      if (isFirst) {
        isFirst = false;
        await tell({ cents: 6_000 });
      }
      return seen;
    };
    const late = { ...deps, refunds: { ...deps.refunds, ofEarns } };
    const request = { workspace_id, source_id: sale, ratio: 0.5 };
    await expect(asCaller(() => refundPurchase(late, request))).rejects.toMatchObject(TOO_LARGE);
    expect(await balance()).toBe(40);
    await asCaller(() => rpc.RefundPurchase({ ...request, ratio: 0.4 }));
    expect(await balance()).toBe(0);
  });
});

test('a refund that is through is at rest, also where the process that was at it died before saying so', async () => {
  const { deps, rpc } = replicas[0]!;
  const workspace_id = await testWorkspace(replicas[0]!);
  const [client, sale] = [newId(), newId()];
  const given = { workspace_id, client_id: client, amount: 10 };
  await asCaller(() => rpc.EarnPoints({ ...given, source_type: 'transaction', source_id: sale }));
  const books = new Books(workspace_id, [client]);
  await tellOfRefund(books, client, {
    ids: [sale],
    names: [sale],
    paid: 1_000,
    cents: 500,
    copies: 1,
  });
  const rows = deps.connection.collection('purchase_refunds');
  const { modifiedCount } = await rows.updateOne({ workspace_id }, { $set: { open: true } });
  expect(modifiedCount).toBe(1);
  await finishRefunds(deps);
  expect(await deps.refunds.unfinished(10)).toEqual([]);
});
