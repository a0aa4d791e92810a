import type { clients as clientsApi, ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type Facts, type MetricFacts, sumOfDecimals } from '../domain/facts';
import { daysSincePrevious, metricsAskedBy } from '../domain/history';
import type { MetricQuestion, Rule } from '../domain/rule';
import type { Trigger } from '../domain/trigger';
import { toTransaction } from './read-history';

const DAY_MS = 86_400_000;
const ENTRIES_PER_PAGE = 1_000;
/** The one before is nearly always among so many: a page is read again only for as many at one moment. */
const LATEST_PURCHASES = 10;

/**
 * The facts as a rule about a transaction sees them: bought is what was bought with it, whatever came in since, and
 * the last transaction is the one before it.
 */
export async function factsAtTransaction(
  { clients }: Pick<Deps, 'clients'>,
  rule: Rule,
  happened: Trigger,
  facts: Facts,
): Promise<Facts> {
  if (happened.type !== 'transaction') return facts;
  const asksForLast = metricsAskedBy(rule).has('days_since_last_transaction');
  return {
    ...facts,
    metrics: {
      ...facts.metrics,
      ...(happened.spendingAfter ?? withSynthetic(facts.metrics, happened)),
      ...(asksForLast
        ? { days_since_last_transaction: await daysSinceLast({ clients }, rule, happened) }
        : {}),
    },
  };
}

/** Count and spending with a transaction that is in no record. */
function withSynthetic<Metrics extends Pick<MetricFacts, 'transaction_count' | 'total_spending'>>(
  metrics: Metrics,
  { type, isSynthetic, eventType, amount }: Trigger,
): Metrics {
  if (!isSynthetic || type !== 'transaction' || amount === null) return metrics;
  const isRefund = eventType === 'refund';
  return {
    ...metrics,
    transaction_count: metrics.transaction_count + (isRefund ? 0 : 1),
    total_spending: sumOfDecimals([metrics.total_spending, isRefund ? -amount : amount]),
  };
}

async function daysSinceLast(
  { clients }: Pick<Deps, 'clients'>,
  { workspace_id }: Rule,
  happened: Trigger,
): Promise<number | null> {
  let cursor: string | null | undefined;
  do {
    const page: clientsApi.EventPage = await clients.ListEvents({
      workspace_id,
      client_id: happened.clientId,
      event_category: 'transaction',
      event_type: 'purchase',
      to_date: happened.at.toISOString(),
      limit: LATEST_PURCHASES,
      offset: 0,
      ...(cursor ? { cursor } : {}),
    });
    const days = daysSincePrevious(page.events.map(toTransaction), happened);
    if (days !== null) return days;
    cursor = page.next_cursor;
  } while (cursor);
  return null;
}

/**
 * A metric over the days up to the happening: transactions that came after it are another event's, however many are on
 * record already when its rules get their turn.
 */
export async function measure(
  { clients, referrals, ledger }: Pick<Deps, 'clients' | 'referrals' | 'ledger'>,
  { workspaceId, happened, facts }: { workspaceId: string; happened: Trigger; facts: Facts },
  { metric, period_days: days, wallet_type_code: code }: MetricQuestion,
): Promise<number | null> {
  const { metrics: standing } = facts;
  const { clientId, at } = happened;
  const since = new Date(at.getTime() - (days ?? 0) * DAY_MS).toISOString();
  const asked = { workspace_id: workspaceId, client_ids: [clientId], since };
  switch (metric) {
    case 'transaction_count':
    case 'total_spending': {
      const until = { until: at.toISOString(), ...upToItself(happened) };
      const [found] = (await clients.GetTransactionMetrics({ ...asked, ...until })).metrics;
      const { transaction_count = 0, total_spending = 0 } = found ?? {};
      return withSynthetic({ transaction_count, total_spending }, happened)[metric];
    }
    case 'referrals_completed':
      return (await referrals.CountCompleted(asked)).counts[0]?.count ?? 0;
    case 'points_earned':
      return earnedSince({ ledger }, { workspaceId, clientId, since, code });
    case 'days_since_last_transaction': {
      const passed = standing.days_since_last_transaction;
      return passed !== null && passed <= (days ?? 0) ? passed : null;
    }
  }
}

/** Of transactions of the very same moment, those up to itself. */
const upToItself = ({ type, eventId }: Trigger) =>
  type === 'transaction' ? { until_id: eventId } : {};

async function earnedSince(
  { ledger }: Pick<Deps, 'ledger'>,
  asked: { workspaceId: string; clientId: string; since: string; code: string | undefined },
): Promise<number> {
  let earned = 0;
  let cursor: string | null | undefined;
  do {
    const page: ledger.EntryPage = await ledger.ListClientEntries({
      workspace_id: asked.workspaceId,
      client_id: asked.clientId,
      type: 'earn',
      from_date: asked.since,
      ...(asked.code === undefined ? {} : { wallet_type_code: asked.code }),
      ...(cursor ? { cursor } : {}),
      limit: ENTRIES_PER_PAGE,
      offset: 0,
    });
    earned = sumOfDecimals([earned, ...page.entries.map(({ amount }) => amount)]);
    cursor = page.next_cursor;
  } while (cursor);
  return earned;
}
