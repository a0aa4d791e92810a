import type { JsonObject } from '@laurel/errors';
import type { Connection, Session } from '@laurel/mongo';
import type { Units } from '@laurel/values/amount';
import { NAMES_OF_SALE } from '../domain/refund-link';
import type { RefundLink } from '../domain/trail-event';
import { events } from './events';

export interface Sale {
  id: string;
  external_id: string | null;
  /** As far as it names the sale. */
  metadata: JsonObject;
  amount: Units | null;
  currency: string | null;
}

export interface Refund {
  id: string;
  amount: Units | null;
  refund_link: RefundLink | null;
}

/** What stands of sales and refunds in the trail; `metadata` has members of any kind. */
type SaleRow = Omit<Sale, 'id' | 'external_id'> & { _id: string; external_id?: string };
type RefundRow = Omit<Refund, 'id'> & { _id: string };

/** A sale may say very much in its metadata. */
const SALE = {
  external_id: 1,
  amount: 1,
  currency: 1,
  ...Object.fromEntries(NAMES_OF_SALE.map((key) => [`metadata.${key}`, 1])),
};

/**
 * What refunds ask of the trail (part 4, section 5): the transactions of one person, as its transaction sees them, in the
 * names of all who are being merged into one.
 */
export function createSaleStore(connection: Connection) {
  const rows = events.open(connection);

  const sales = salesIn(connection);

  return {
    /** The sales of some clients under any of some names, but for those that are known already. */
    salesNamed(
      workspaceId: string,
      {
        clientIds,
        names,
        but = [],
        limit = 0,
      }: {
        clientIds: readonly string[];
        names: readonly string[];
        but?: readonly string[];
        limit?: number;
      },
      session: Session,
    ): Promise<Sale[]> {
      const others = but.length > 0 ? { _id: { $nin: [...but] } } : {};
      const filter = {
        ...transactionsOf(clientIds, 'purchase'),
        ...others,
        $or: underAnyOf(names),
      };
      return sales(workspaceId, filter, { session, limit });
    },

    /** Sales by their ids. */
    salesOf(
      workspaceId: string,
      { clientIds, ids }: { clientIds: readonly string[]; ids: readonly string[] },
      session: Session,
    ): Promise<Sale[]> {
      const filter = { ...transactionsOf(clientIds, 'purchase'), _id: { $in: [...ids] } };
      return sales(workspaceId, filter, { session });
    },

    /** The refunds that were linked to any of some sales. */
    async refundsOf(
      workspaceId: string,
      { clientIds, saleIds }: { clientIds: readonly string[]; saleIds: readonly string[] },
      session: Session,
    ): Promise<Refund[]> {
      if (saleIds.length === 0) return [];
      const linked = { 'refund_link.saleIds': { $in: [...saleIds] } };
      const filter: object = { ...transactionsOf(clientIds, 'refund'), ...linked };
      const found = await rows
        .of(workspaceId)
        .find(filter, { session })
        .project<RefundRow>({ amount: 1, refund_link: 1 })
        .toArray();
      return found.map(({ _id: id, amount, refund_link }) => ({
        id,
        amount,
        refund_link: refund_link ?? null,
      }));
    },
  };
}

/** Sales that fit a filter, with as much of their metadata as names them. */
function salesIn(connection: Connection) {
  const rows = events.open(connection);
  return async (
    workspaceId: string,
    filter: object,
    { session, limit = 0 }: { session: Session; limit?: number },
  ): Promise<Sale[]> => {
    const found = await rows
      .of(workspaceId)
      .find(filter, { session })
      .project<SaleRow>(SALE)
      .limit(limit)
      .toArray();
    return found.map(({ _id: id, external_id, metadata, ...sale }) => ({
      ...sale,
      id,
      external_id: external_id ?? null,
      metadata: metadata ?? {},
    }));
  };
}

const underAnyOf = (names: readonly string[]) => [
  { _id: { $in: [...names] } },
  { external_id: { $in: [...names] } },
  ...NAMES_OF_SALE.map((key) => ({
    [`metadata.${key}`]: { $in: names.flatMap(bothSpellings) },
  })),
];

const transactionsOf = (clientIds: readonly string[], event_type: string) => ({
  client_id: clientIds.length === 1 ? clientIds[0] : { $in: [...clientIds] },
  event_category: 'transaction',
  event_type,
});

/** A name as text, and as the number that senders may have meant by it. */
function bothSpellings(name: string): (string | number)[] {
  const number = Number(name);
  return String(number) === name && Number.isFinite(number) ? [name, number] : [name];
}
