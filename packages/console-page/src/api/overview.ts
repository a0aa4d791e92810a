import type { Laurel, Overview } from '@laurel/client';
import { addDays, type Span } from '../format/days';

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

/** Something that went wrong and will stay wrong until somebody looks. */
export type Need =
  | { kind: 'webhook'; name: string; to: string }
  | { kind: 'rules'; count: number; to: string }
  | { kind: 'integration'; name: string; error: string; to: string };

const FAILED_DAYS = 7;

export async function loadNeeds(laurel: Laurel, today: string): Promise<Need[]> {
  const [webhooks, failed, { data: integrations }] = await Promise.all([
    laurel.webhooks.list({ limit: 100 }),
    laurel.automations.listExecutions({
      status: 'failed',
      from_date: `${addDays(today, -FAILED_DAYS)}T00:00:00.000Z`,
      limit: 1,
    }),
    laurel.integrations.list(),
  ]);
  const count = failed.meta?.total ?? failed.meta?.total_count ?? failed.data.length;
  return [
    ...webhooks.data
      .filter(({ failing_since, disabled_reason }) => failing_since || disabled_reason)
      .map(
        ({ id, url }): Need => ({
          kind: 'webhook',
          name: new URL(url).host,
          to: `/connections/webhooks/${id}`,
        }),
      ),
    ...(count > 0 ? [{ kind: 'rules', count, to: '/rules?tab=runs' } as const] : []),
    ...integrations.flatMap(({ provider, last_error }): Need[] =>
      last_error
        ? [{ kind: 'integration', name: provider, error: last_error, to: '/connections' }]
        : [],
    ),
  ];
}
