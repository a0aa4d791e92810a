import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type LinkDeps, linkRefunds } from './link-refunds';
import { draftOf } from './record-events';

/** Which sales of a client a refund would give back, found as recording it finds them; nothing is written. */
export async function quoteRefundLink(
  deps: LinkDeps & Pick<Deps, 'connection'>,
  request: api.QuoteRefundLinkRequest,
): Promise<api.QuotedRefundLink> {
  const { workspace_id: workspaceId, client_id: clientId, ...told } = request;
  const refund = { ...told, event_category: 'transaction', event_type: 'refund' };
  const draft = draftOf(refund, {
    id: newId(),
    workspaceId,
    clientId,
    passId: null,
    clientName: null,
    timestamp: deps.clock.now(),
    source: null,
  });
  const [linked] = await unitOfWork(deps.connection, (session) =>
    linkRefunds(deps, { workspaceId, session }, [draft]),
  );
  const link = linked!.refund_link;
  return {
    state: link?.state ?? null,
    event_ids: link?.saleIds ?? [],
    names: link?.names ?? [],
    paid: link ? toDecimal(link.paid) : 0,
    shared: (link?.shared ?? []).map(({ saleIds, names, paid, refunded }) => ({
      event_ids: saleIds,
      names,
      paid: toDecimal(paid),
      refunded: toDecimal(refunded),
    })),
    merging: link?.merging ?? [],
  };
}
