import type { JsonObject } from '@laurel/errors';
import type { Connection, Session } from '@laurel/mongo';
import type { Units } from '@laurel/values/amount';
import { NAMES_OF_SALE } from '../domain/refund-link';
import type { RefundLink } from '../domain/trail-event';
import { events } from './events';

export interface Transaction {
  id: string;
  external_id: string | null;
  metadata: JsonObject;
  amount: Units | null;
  currency: string | null;
  refund_link: RefundLink | null;
}

/** What refunds ask of the trail (part 4, section 5): the transactions of one client, as its transaction sees them. */
export function createSaleStore(connection: Connection) {
  const rows = events.open(connection);

  async function find(
    workspaceId: string,
    filter: object,
    session: Session,
  ): Promise<Transaction[]> {
    const documents = await rows.of(workspaceId).find(filter, { session }).toArray();
    return documents.map(({ _id, external_id, metadata, amount, currency, refund_link }) => ({
      id: _id,
      external_id: external_id ?? null,
      metadata,
      amount,
      currency,
      refund_link: refund_link ?? null,
    }));
  }

  return {
    /** The sales of a client under any of some names. */
    salesNamed(
      workspaceId: string,
      { clientId, names }: { clientId: string; names: readonly string[] },
      session: Session,
    ): Promise<Transaction[]> {
      const values = { $in: names.flatMap(bothSpellings) };
      const named = [
        { _id: { $in: [...names] } },
        { external_id: { $in: [...names] } },
        ...NAMES_OF_SALE.map((key) => ({ [`metadata.${key}`]: values })),
      ];
      const purchases = transactionsOf(clientId, 'purchase');
      return find(workspaceId, { ...purchases, $or: named }, session);
    },

    /** The refunds of a client that were linked to any of some sales. */
    async refundsOf(
      workspaceId: string,
      { clientId, saleIds }: { clientId: string; saleIds: readonly string[] },
      session: Session,
    ): Promise<Transaction[]> {
      if (saleIds.length === 0) return [];
      const linked = { 'refund_link.saleIds': { $in: [...saleIds] } };
      return find(workspaceId, { ...transactionsOf(clientId, 'refund'), ...linked }, session);
    },
  };
}

const transactionsOf = (client_id: string, event_type: string) => ({
  client_id,
  event_category: 'transaction',
  event_type,
});

/** A name as text, and as the number that senders may have meant by it. */
function bothSpellings(name: string): (string | number)[] {
  const number = Number(name);
  return String(number) === name && Number.isFinite(number) ? [name, number] : [name];
}
