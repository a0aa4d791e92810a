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
  refund: fc.boolean(),
  exact: fc.boolean(),
});
type Step = { do: 'tell'; events: Told[] } | { do: 'merge'; member: number; other: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('tell'),
      events: fc.array(told, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('merge'),
      member: fc.nat(MEMBERS - 1),
      other: fc.nat(MEMBERS - 2),
    }),
  },
);

/** What the members remember, in cents. */
interface Sale {
  id: string;
  externalId: string;
  holder: string;
  order: number;
  paid: number;
}
interface Refund {
  id: string;
  sales: string[];
  cents: number;
}
class Memories {
  readonly sales: Sale[] = [];
  readonly refunds: Refund[] = [];
  constructor(readonly members: { id: string; passId: string }[]) {}

  /** Part 4, section 5: own sales under the name, and never more than is left of them. */
  linkOf(holder: string, { order, cents }: Told, externalId: string | null) {
    const numbered = this.sales.filter((sale) => sale.holder === holder && sale.order === order);
    const own = externalId ? numbered.filter((sale) => sale.externalId === externalId) : numbered;
    const ids = own.map(({ id }) => id);
    const paid = own.reduce((sum, sale) => sum + sale.paid, 0);
    const back = this.refunds
      .filter(({ sales }) => sales.some((id) => ids.includes(id)))
      .reduce((sum, refund) => sum + refund.cents, 0);
    const state = ids.length === 0 ? 'not_found' : cents > paid - back ? 'exceeds' : 'linked';
    // The number of the order is the name of the others, too.
    const others = {
      event_ids: numbered.map(({ id }) => id).sort(),
      names: [String(order)],
      amount: numbered.reduce((sum, sale) => sum + sale.paid, 0) / 100,
      refunded: cents / 100,
    };
    return { state, ids: ids.sort(), paid, shared: own.length < numbered.length ? [others] : [] };
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
  { member, order, asText, name, cents, refund }: Told,
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
    currency: 'EUR',
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
      const { order, cents: paid } = each;
      memories.sales.push({ id: event.id, externalId, holder, order, paid });
      continue;
    }
    const link = memories.linkOf(holder, each, names[index]!.original);
    expect(event.refund_link).toBe(link.state);
    if (quote)
      expect({ ...quote, event_ids: [...quote.event_ids].sort() }).toMatchObject(
        link.state === 'linked'
          ? {
              state: 'linked',
              event_ids: link.ids,
              paid: link.paid / 100,
              shared: link.shared.map(({ amount, ...sales }) => ({ ...sales, paid: amount })),
            }
          : { state: link.state, event_ids: [], paid: 0, shared: [] },
      );
    expect(await toldSales(event.id)).toEqual(
      link.state === 'linked'
        ? {
            event_ids: link.ids,
            amount: link.paid / 100,
            shared: link.shared,
            earlier: memories.earlierThan(link.ids).slice(-20),
          }
        : undefined,
    );
    if (link.state === 'linked')
      memories.refunds.push({ id: event.id, sales: link.ids, cents: each.cents });
  }
}

/** What a refund gives back, as the other services hear. */
async function toldSales(eventId: string) {
  const events = (await harness.told('transaction.refund')) as { data: TransactionRecorded }[];
  const sales = events.find(({ data }) => data.id === eventId)!.data.refunded_sales;
  return (
    sales && {
      event_ids: [...sales.event_ids].sort(),
      amount: sales.amount,
      shared: sales.shared ?? [],
      earlier: (sales.earlier ?? []).map(({ refund_id }) => refund_id),
    }
  );
}

async function merge(memories: Memories, member: number, other: number): Promise<void> {
  const { members } = memories;
  if (members.length === 1) return;
  const [source] = members.splice(member % members.length, 1);
  const target = members[other % members.length]!;
  await mergeClients(harness.deps, {
    workspace_id: harness.workspaceId,
    source_client_id: source!.id,
    target_client_id: target.id,
  });
  for (const sale of memories.sales) if (sale.holder === source!.id) sale.holder = target.id;
}

test('whatever members with the same order numbers buy and bring back, a refund is linked to its own member and to no more than was paid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (story) => {
      const members = [];
      for (let member = 0; member < MEMBERS; member += 1) {
        const { id } = await harness.client();
        members.push({ id, passId: await harness.pass(id) });
      }
      const memories = new Memories(members);
      for (const each of story)
        if (each.do === 'tell') await tell(memories, each.events);
        else await merge(memories, each.member, each.other);
    }),
    { ...propertySettings(6), endOnFailure: true },
  );
});
