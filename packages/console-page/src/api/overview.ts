import type { Attention, Laurel, Overview } from '@laurel/client';
import type { Span } from '../format/days';

/** Spans that can be chosen, in days, with the bars that a chart of them has. */
export const PERIODS = { 7: 'day', 30: 'day', 90: 'week', 365: 'month' } as const;

/** Every figure of a span of days, and of as many days before it. */
export const loadOverview = async (
  laurel: Laurel,
  { from, to }: Span,
  groupBy: 'day' | 'week' | 'month',
): Promise<Overview> =>
  await laurel.workspaces.getOverview({
    from_date: from,
    to_date: to,
    group_by: groupBy,
    compare: 'previous',
  });

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
    client_import: '/customers',
    reward: `/rewards/${id}`,
    wallet_credentials: '/cards',
  };
  return places[type];
}
