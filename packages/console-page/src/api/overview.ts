import type { Attention, Laurel, Overview } from '@laurel/client';
import type { Period } from '@laurel/contract';
import { addDays, momentOf, type Span, spanBefore } from '../format/days';

/** Spans that can be chosen, in days, with the bars that a chart of them has. */
export const PERIODS = { 7: 'day', 30: 'day', 90: 'week', 365: 'month' } as const;

/** Every figure of a span of days, and of as many days before it. */
export const loadOverview = async (
  laurel: Laurel,
  { from, to }: Span,
  groupBy: Period,
): Promise<Overview> =>
  await laurel.workspaces.getOverview({
    from_date: from,
    to_date: to,
    group_by: groupBy,
    compare: 'previous',
  });

const RANKED = 6;

/** What was redeemed and not cancelled, most often first: of a span of days, and how much of it in the days before. */
export async function loadRedeemed(laurel: Laurel, span: Span, timezone: string) {
  const count = ({ from, to }: Span) =>
    laurel.rewards.rankRedeemed({
      from_date: momentOf(from, timezone),
      to_date: momentOf(addDays(to, 1), timezone),
      exclude_cancelled: true,
      limit: RANKED,
    });
  const [{ rewards, total_count }, before] = await Promise.all([
    count(span),
    count(spanBefore(span)),
  ]);
  return { rewards, count: total_count, before: before.total_count };
}

/** Whether figures are still being counted, as after a start: they are there in a moment. */
export function isCounting({ customers, currencies, redemptions }: Overview): boolean {
  return (
    customers?.new === null ||
    redemptions?.count === null ||
    (currencies ?? []).some(({ issued }) => issued === null)
  );
}

/** Where it is dealt with. */
export function placeOf({ subject: { type, id } }: Attention): string {
  const places = {
    webhook: `/connections/webhooks/${id}`,
    integration: '/connections?tab=integrations',
    sales_import: '/connections?tab=integrations',
    rule: '/rules?tab=runs&status=failed',
    campaign: `/campaigns/${id}`,
    client_import: `/customers?import=${id}`,
    reward: `/rewards/${id}`,
    wallet_credentials: '/settings?tab=wallets',
  };
  return places[type];
}
