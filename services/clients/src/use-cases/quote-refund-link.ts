import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type LinkDeps, quoteLink } from './link-refunds';
import { draftOf } from './record-events';

/**
 * Which sales of a client a refund would give back, found as recording it finds them, and what is left of them; nothing is
 * written.
 */
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
  const { link, left } = await unitOfWork(deps.connection, (session) =>
    quoteLink(deps, { workspaceId, session }, draft),
  );
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
    ...(left === null ? {} : { left: toDecimal(left) }),
  };
}
