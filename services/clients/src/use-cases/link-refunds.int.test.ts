import type { TransactionRecorded } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import { propertySettings } from '@laurel/testing';
import fc from 'fast-check';
import { createHarness, type Harness } from '../testing/harness';
import { mergeClients } from './merge-clients';
import { quoteRefundLink } from './quote-refund-link';
import { recordEvent, recordEvents } from './record-events';

const MEMBERS = 3;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.drop());

/** What tills tell, one event or several at once; all of them count their orders from 0. */
type Told = {
  member: number;
  order: number;
  /** How the number of the order is sent: as text or as a number, under which of its names. */
  asText: boolean;
  name: 'order_id' | 'transaction_id';
  cents: number;
  currency: 'EUR' | 'USD';
  refund: boolean;
  /** Whether a refund names one of the sales alone, by what the till called that one. */
  exact: boolean;
};
const told: fc.Arbitrary<Told> = fc.record({
  member: fc.nat(MEMBERS - 1),
  order: fc.nat(2),
  asText: fc.boolean(),
  name: fc.constantFrom('order_id', 'transaction_id'),
  cents: fc.integer({ min: 1, max: 2_000 }),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
  refund: fc.boolean(),
  exact: fc.boolean(),
});
type Step =
  | { do: 'tell'; events: Told[] }
  /** Where it dies, the process that is at it has moved one row of the trail. */
  | { do: 'merge'; member: number; other: number; dies: boolean }
  /** The merges whose process died are gone on with. */
  | { do: 'go on' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('tell'),
      events: fc.array(told, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('merge'),
      member: fc.nat(MEMBERS - 1),
      other: fc.nat(MEMBERS - 2),
      dies: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('go on') }) },
);

/** What the members remember, in cents. */
interface Sale {
  id: string;
  externalId: string;
  holder: string;
  order: number;
  currency: Told['currency'];
  paid: number;
}
interface Member {
  id: string;
  passId: string;
  /** Those who were merged into this one, first or last. */
  former: string[];
}
interface Refund {
  id: string;
  sales: string[];
  cents: number;
}
class Memories {
  readonly sales: Sale[] = [];
  readonly refunds: Refund[] = [];
  /** What is to be gone on with. */
  readonly halfMerged: { source_client_id: string; target_client_id: string }[] = [];
  constructor(readonly members: Member[]) {}

  /**
   * How much of some sales can still be brought back, in cents. Refunds are of one sale or of all of a number by then, so that
   * of two of them that share sales one contains the other: no such set may give back more than it was paid.
   */
  leftOf(ids: readonly string[]): number {
    const sets = [[], ...this.refunds.map(({ sales }) => sales)].filter(
      (set) => set.length === 0 || set.some((id) => ids.includes(id)),
    );
    const lefts = sets.map((set) => {
      const all = new Set([...ids, ...set]);
      const paid = this.sales
        .filter(({ id }) => all.has(id))
        .reduce((sum, one) => sum + one.paid, 0);
      const back = this.refunds
        .filter(({ sales }) => sales.every((id) => all.has(id)))
        .reduce((sum, refund) => sum + refund.cents, 0);
      return paid - back;
    });
    return Math.min(...lefts);
  }

  /** Part 4, section 5: own sales under the name, and never more than is left of them. */
  linkOf(holder: string, { order, cents, currency }: Told, externalId: string | null) {
    const numbered = this.sales.filter((sale) => sale.holder === holder && sale.order === order);
    const named = externalId ? numbered.filter((sale) => sale.externalId === externalId) : numbered;
    const own = named.filter((sale) => sale.currency === currency);
    const ids = own.map(({ id }) => id);
    const paid = own.reduce((sum, sale) => sum + sale.paid, 0);
    const isTooMuch = ids.length > 0 && cents > this.leftOf(ids);
    const state = ids.length === 0 ? 'not_found' : isTooMuch ? 'exceeds' : 'linked';
    // The number of the order is the name of the others, too; of those in two currencies it tells nothing.
    const isAlone = own.length === numbered.length;
    const isClear = numbered.every((sale) => sale.currency === currency);
    const others = {
      event_ids: numbered.map(({ id }) => id).sort(),
      names: [String(order)],
      amount: numbered.reduce((sum, sale) => sum + sale.paid, 0) / 100,
      refunded: cents / 100,
    };
    return {
      state,
      ids: ids.sort(),
      paid,
      left: ids.length === 0 ? {} : { left: Math.max(0, this.leftOf(ids)) / 100 },
      hasNumber: isAlone,
      shared: isAlone || !isClear ? [] : [others],
    };
  }

  /** Refunds that share sales, also by way of others, but not just the same; as they came. */
  earlierThan(ids: readonly string[]): string[] {
    const together = new Set(ids);
    const shares = ({ sales }: Refund) => sales.some((id) => together.has(id));
    for (let size = 0; size < together.size; ) {
      size = together.size;
      for (const { sales } of this.refunds.filter(shares)) for (const id of sales) together.add(id);
    }
    return this.refunds
      .filter((refund) => shares(refund) && refund.sales.join() !== ids.join())
      .map(({ id }) => id);
  }
}

/** What the till calls each sale, and the sale that a refund names alone: the last of its number by then. */
function tillNames(memories: Memories, events: readonly Told[]) {
  const known = memories.sales.map(({ externalId, holder, order }) => ({
    externalId,
    holder,
    order,
  }));
  return events.map(({ member, order, refund, exact }) => {
    const holder = memories.members[member % memories.members.length]!.id;
    const externalId = `till-${newId()}`;
    if (!refund) known.push({ externalId, holder, order });
    if (!refund || !exact) return { externalId, original: null };
    const named = known.filter((sale) => sale.holder === holder && sale.order === order).at(-1);
    return { externalId, original: named?.externalId ?? null };
  });
}

function eventOf(
  memories: Memories,
  { member, order, asText, name, cents, currency, refund }: Told,
  { externalId, original }: ReturnType<typeof tillNames>[number],
) {
  const { passId } = memories.members[member % memories.members.length]!;
  return {
    pass_id: passId,
    external_id: externalId,
    ...(original === null ? {} : { original_external_id: original }),
    event_category: 'transaction',
    event_type: refund ? 'refund' : 'purchase',
    amount: cents / 100,
    currency,
    metadata: { [name]: asText ? String(order) : order },
  } satisfies api.NewEvent;
}

async function tell(memories: Memories, events: Told[]): Promise<void> {
  const workspace_ids = [harness.workspaceId];
  const names = tillNames(memories, events);
  const sent = events.map((event, index) => eventOf(memories, event, names[index]!));
  // Of one event alone nothing comes between the question and its answer.
  const [only] = sent.length === 1 ? sent : [];
  const quote =
    only?.event_type === 'refund'
      ? await quoteRefundLink(harness.deps, {
          workspace_id: harness.workspaceId,
          client_id: memories.members[events[0]!.member % memories.members.length]!.id,
          amount: only.amount,
          currency: only.currency,
          metadata: only.metadata,
          ...(names[0]!.original === null ? {} : { original_external_id: names[0]!.original }),
        })
      : null;
  const written =
    sent.length === 1
      ? [await recordEvent(harness.deps, { workspace_ids, event: sent[0]! })]
      : (await recordEvents(harness.deps, { workspace_ids, events: sent })).events;
  for (const [index, each] of events.entries()) {
    const event = written[index]!;
    const holder = memories.members[each.member % memories.members.length]!.id;
    expect(event.client_id).toBe(holder);
    if (!each.refund) {
      expect(event.refund_link ?? null).toBeNull();
      const { externalId } = names[index]!;
      const { order, cents: paid, currency } = each;
      memories.sales.push({ id: event.id, externalId, holder, order, currency, paid });
      continue;
    }
    const link = memories.linkOf(holder, each, names[index]!.original);
    expect(event.refund_link).toBe(link.state);
    const { former } = memories.members[each.member % memories.members.length]!;
    if (quote)
      expect({
        ...quote,
        event_ids: [...quote.event_ids].sort(),
        merging: [...quote.merging].sort(),
      }).toMatchObject(
        link.state === 'linked'
          ? {
              state: 'linked',
              event_ids: link.ids,
              paid: link.paid / 100,
              shared: link.shared.map(({ amount, ...sales }) => ({ ...sales, paid: amount })),
              merging: [...former].sort(),
            }
          : { state: link.state, event_ids: [], paid: 0, shared: [], merging: [] },
      );
    const { left } = quote ?? {};
    if (quote) expect(left === undefined ? {} : { left }).toEqual(link.left);
    expect(await toldSales(event.id, String(each.order))).toEqual(
      link.state === 'linked'
        ? {
            event_ids: link.ids,
            amount: link.paid / 100,
            hasNumber: link.hasNumber,
            shared: link.shared,
            earlier: memories.earlierThan(link.ids).slice(-20),
            merging: [...former].sort(),
          }
        : undefined,
    );
    if (link.state === 'linked')
      memories.refunds.push({ id: event.id, sales: link.ids, cents: each.cents });
  }
}

/** What a refund gives back, as the other services hear. */
async function toldSales(eventId: string, number: string) {
  const events = (await harness.told('transaction.refund')) as { data: TransactionRecorded }[];
  const sales = events.find(({ data }) => data.id === eventId)!.data.refunded_sales;
  return (
    sales && {
      event_ids: [...sales.event_ids].sort(),
      amount: sales.amount,
      hasNumber: sales.names.includes(number),
      shared: sales.shared ?? [],
      earlier: (sales.earlier ?? []).map(({ refund_id }) => refund_id),
      // By the clock of the test none of them has settled.
      merging: [...(sales.merging ?? [])].sort(),
    }
  );
}

async function merge(memories: Memories, { member, other, dies }: Step & { do: 'merge' }) {
  const { members, halfMerged } = memories;
  if (members.length === 1) return;
  const [source] = members.splice(member % members.length, 1);
  const target = members[other % members.length]!;
  target.former.push(source!.id, ...source!.former);
  const pair = { source_client_id: source!.id, target_client_id: target.id };
  const request = { workspace_id: harness.workspaceId, ...pair };
  if (dies) {
    halfMerged.push(pair);
    await expect(mergeClients(dyingAtTrail(), request)).rejects.toMatchObject({ httpStatus: 503 });
  } else await mergeClients(harness.deps, request);
  for (const sale of memories.sales) if (sale.holder === source!.id) sale.holder = target.id;
}

/** A process that ends at a merge when one row of the trail is moved. */
function dyingAtTrail(): Harness['deps'] {
  const { deps } = harness;
  const moveToClient: typeof deps.events.moveToClient = async (workspace_id, from, to) => {
    const rows = deps.connection.collection('events');
    await rows.updateOne({ workspace_id, client_id: from }, { $set: { client_id: to } });
    throw new Error('the process ends');
  };
  return { ...deps, events: { ...deps.events, moveToClient } };
}

async function goOn({ halfMerged }: Memories): Promise<void> {
  for (const pair of halfMerged.splice(0))
    await mergeClients(harness.deps, { workspace_id: harness.workspaceId, ...pair });
}

test('whatever members with the same order numbers buy and bring back, a refund is linked to its own member and to no more than was paid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (story) => {
      const members: Member[] = [];
      for (let member = 0; member < MEMBERS; member += 1) {
        const { id } = await harness.client();
        members.push({ id, passId: await harness.pass(id), former: [] });
      }
      const memories = new Memories(members);
      for (const each of story)
        if (each.do === 'tell') await tell(memories, each.events);
        else if (each.do === 'merge') await merge(memories, each);
        else await goOn(memories);
    }),
    { ...propertySettings(6), endOnFailure: true },
  );
});

test('a refund finds the sales of a client whose merge has begun, and no more than is left of them is given back', async () => {
  const [source, target] = [await harness.client(), await harness.client()];
  const [own, others] = [await harness.pass(source.id), await harness.pass(target.id)];
  const sale = (pass_id: string, external_id: string, amount: number) => ({
    pass_id,
    external_id,
    amount,
    currency: 'EUR',
    metadata: { order_id: 'split' },
    event_category: 'transaction',
    event_type: 'purchase',
  });
  const record = (event: api.NewEvent) =>
    recordEvent(harness.deps, { workspace_ids: [harness.workspaceId], event });
  await record(sale(own, 'cash', 60));
  await record(sale(own, 'card', 40));
  const merged = mergeClients(dyingAtTrail(), {
    workspace_id: harness.workspaceId,
    source_client_id: source.id,
    target_client_id: target.id,
  });
  await expect(merged).rejects.toMatchObject({ httpStatus: 503 });
  const refund = (external_id: string, amount: number) =>
    record({ ...sale(others, external_id, amount), event_type: 'refund' });
  const { workspaceId: workspace_id } = harness;
  const asked = { workspace_id, client_id: target.id, amount: 70, currency: 'EUR' };
  const quote = await quoteRefundLink(harness.deps, { ...asked, metadata: { order_id: 'split' } });
  expect(quote).toMatchObject({ state: 'linked', paid: 100, merging: [source.id] });
  const first = await refund('back 1', 70);
  expect(first).toMatchObject({ client_id: target.id, refund_link: 'linked' });
  expect(await toldSales(first.id, 'split')).toMatchObject({
    amount: 100,
    merging: [source.id],
  });
  expect(await refund('back 2', 31)).toMatchObject({ refund_link: 'exceeds' });
  expect(await refund('back 3', 30)).toMatchObject({ refund_link: 'linked' });
});

test('what a refund itself is called is no name of its sale, for a quote as for recording it', async () => {
  const { id: client_id } = await harness.client();
  const asked = { workspace_id: harness.workspaceId, client_id, amount: 5, currency: 'EUR' };
  const quoted = (more: object) =>
    quoteRefundLink(harness.deps, { ...asked, metadata: { transaction_id: 12 }, ...more });
  expect(await quoted({ external_id: 'pos:12' })).toMatchObject({ state: null });
  expect(await quoted({ external_id: 'pos:13' })).toMatchObject({ state: 'not_found' });
  const named = { external_id: 'pos:12', original_external_id: 'pos:9' };
  expect(await quoted(named)).toMatchObject({ state: 'not_found' });
});

describe('of very many sales with a number that a till sends with each', () => {
  const metadata = { order_id: '0' };
  async function soldOften() {
    const { id: client_id } = await harness.client();
    const pass_id = await harness.pass(client_id);
    const workspace_ids = [harness.workspaceId];
    const event = { pass_id, event_category: 'transaction', amount: 1, currency: 'EUR' };
    const name = newId();
    const sold = Array.from({ length: 400 }, (_, index) => ({
      ...event,
      metadata,
      event_type: 'purchase',
      external_id: `${name} ${index}`,
    }));
    await recordEvents(harness.deps, { workspace_ids, events: sold });
    const read: number[] = [];
    const salesNamed: Harness['deps']['sales']['salesNamed'] = async (...asked) => {
      const found = await harness.deps.sales.salesNamed(...asked);
      read.push(found.length);
      return found;
    };
    const deps = { ...harness.deps, sales: { ...harness.deps.sales, salesNamed } };
    const refund = (named: Partial<api.NewEvent>) =>
      recordEvent(deps, { workspace_ids, event: { ...event, event_type: 'refund', ...named } });
    const quote = (named: { metadata: object }) =>
      quoteRefundLink(deps, {
        workspace_id: harness.workspaceId,
        client_id,
        amount: 1,
        currency: 'EUR',
        ...(named as { metadata: typeof metadata }),
      });
    return { refund, quote, read, seventh: `${name} 7` };
  }

  test('a refund of one reads few of the others, and leaves that number alone', async () => {
    const { refund, read, seventh } = await soldOften();
    const first = await refund({ original_external_id: seventh });
    expect(first).toMatchObject({ refund_link: 'linked' });
    expect(await toldSales(first.id, '0')).toMatchObject({ hasNumber: false, shared: [] });
    // It has three names, and one that three hundred have is one of a hundred at least.
    expect(Math.max(...read)).toBeLessThanOrEqual(301);
  });

  test('a refund by that number alone reads few of them and means none, as it is foretold', async () => {
    const { refund, quote, read } = await soldOften();
    expect(await quote({ metadata })).toMatchObject({ state: 'not_found', event_ids: [] });
    expect(await refund({ metadata })).toMatchObject({ refund_link: 'not_found' });
    expect(Math.max(...read)).toBeLessThanOrEqual(101);
  });

  test('a refund that has a more exact name, too, finds its sale by that', async () => {
    const { refund, read, seventh } = await soldOften();
    const named = { ...metadata, purchase_external_id: seventh };
    const first = await refund({ metadata: named });
    expect(first).toMatchObject({ refund_link: 'linked' });
    expect(await toldSales(first.id, '0')).toMatchObject({ amount: 1, hasNumber: false });
    expect(Math.max(...read)).toBeLessThanOrEqual(301);
  });
});
