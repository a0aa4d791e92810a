import type { clients as clientsApi } from '@laurel/rpc';
import { totalOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { metricsAskedBy } from '../domain/asked';
import { daysFrom, type Facts, type MetricFacts } from '../domain/facts';
import {
  atMost,
  daysSincePrevious,
  earnedOver,
  isEarnedBy,
  type RuleOccasion,
  withEarned,
} from '../domain/history';
import type { MetricQuestion, Rule } from '../domain/rule';
import { isTurnInRun, type Trigger } from '../domain/trigger';
import { readEarnings, toTransaction } from './read-history';

const DAY_MS = 86_400_000;
/** The one before is nearly always among so many: a page is read again only for as many at one moment. */
const LATEST_PURCHASES = 10;

type MetricDeps = Pick<Deps, 'clients' | 'referrals' | 'ledger' | 'executions'>;

/**
 * The facts with the metrics that a rule looks at as they were when it happened, whatever came in since: the rules of a
 * burst of events get their turn when all of them are on record. `factsAsOf` says the same of a history. A run of a schedule
 * is judged by the moment at which it was due, for all: one that goes on past midnight, or is caught up with after it, would
 * give tomorrow's birthdays their present today, and again tomorrow.
 */
export async function factsThen(
  deps: MetricDeps,
  { rule, happened }: RuleOccasion,
  facts: Facts,
): Promise<Facts> {
  const asked = metricsAskedBy(rule);
  const asksForBought = asked.has('transaction_count') || asked.has('total_spending');
  const [bought, last, referrals, earned] = await Promise.all([
    asksForBought ? boughtUntil(deps, { rule, happened }) : {},
    asked.has('days_since_last_transaction') ? daysSinceLast(deps, rule, happened) : null,
    asked.has('referrals_completed') ? completedUntil(deps, { rule, happened }) : null,
    asked.has('points_earned') ? earnedUntil(deps, { rule, happened }, facts) : facts,
  ]);
  return {
    ...earned,
    ...(isTurnInRun(happened) ? { now: happened.at } : {}),
    metrics: {
      ...earned.metrics,
      ...bought,
      ...(referrals === null ? {} : { referrals_completed: referrals }),
      ...(asked.has('days_since_last_transaction') ? { days_since_last_transaction: last } : {}),
    },
  };
}

/** A metric over the days up to the happening. */
export async function measure(
  deps: MetricDeps,
  { rule, happened }: RuleOccasion,
  { question, facts }: { question: MetricQuestion; facts: Facts },
): Promise<number | null> {
  const { metric, period_days: days = 0, wallet_type_code: code } = question;
  const since = new Date(happened.at.getTime() - days * DAY_MS);
  switch (metric) {
    case 'transaction_count':
    case 'total_spending':
      return (await boughtUntil(deps, { rule, happened }, since))[metric];
    case 'referrals_completed':
      return completedUntil(deps, { rule, happened }, since);
    case 'points_earned': {
      const client = { workspaceId: rule.workspace_id, clientId: happened.clientId };
      const earnings = await readEarnings(deps, client, since);
      const foreseen = facts.foreseen.filter(
        ({ walletTypeCode }) => code === undefined || code === walletTypeCode,
      );
      return totalOf([
        earnedOver(earnings, question, { rule, happened }),
        ...foreseen.map(({ amount }) => amount),
      ]);
    }
    case 'days_since_last_transaction':
      return atMost(days, facts.metrics.days_since_last_transaction);
  }
}

type Bought = Pick<MetricFacts, 'transaction_count' | 'total_spending'>;

async function boughtUntil(
  { clients }: Pick<Deps, 'clients'>,
  { rule, happened }: RuleOccasion,
  since?: Date,
): Promise<Bought> {
  const { metrics } = await clients.GetTransactionMetrics({
    workspace_id: rule.workspace_id,
    client_ids: [happened.clientId],
    until: happened.at.toISOString(),
    // Of transactions of the very same moment, those up to itself.
    ...(happened.type === 'transaction' ? { until_id: happened.eventId } : {}),
    ...(since ? { since: since.toISOString() } : {}),
  });
  const { transaction_count = 0, total_spending = 0 } = metrics[0] ?? {};
  return withSynthetic({ transaction_count, total_spending }, happened);
}

/** Count and spending with a transaction that is in no record: the happening itself, or what it follows from. */
function withSynthetic(bought: Bought, happened: Trigger): Bought {
  const { type, isSynthetic, eventType, amount } = happened.follows ?? happened;
  if (!isSynthetic || type !== 'transaction' || amount === null) return bought;
  const isRefund = eventType === 'refund';
  return {
    transaction_count: bought.transaction_count + (isRefund ? 0 : 1),
    total_spending: totalOf([bought.total_spending, isRefund ? -amount : amount]),
  };
}

async function completedUntil(
  { referrals }: Pick<Deps, 'referrals'>,
  { rule, happened }: RuleOccasion,
  since?: Date,
): Promise<number> {
  const { counts } = await referrals.CountCompleted({
    workspace_id: rule.workspace_id,
    client_ids: [happened.clientId],
    until: happened.at.toISOString(),
    ...(since ? { since: since.toISOString() } : {}),
  });
  return counts[0]?.count ?? 0;
}

/**
 * What stands less what came later: of the log of a wallet up to the entry that its total comes with. What a merged client
 * earned later came with the merge.
 */
async function earnedUntil(
  deps: Pick<Deps, 'ledger' | 'executions'>,
  { rule, happened }: RuleOccasion,
  facts: Facts,
): Promise<Facts> {
  const client = { workspaceId: rule.workspace_id, clientId: happened.clientId };
  const { heads } = await deps.ledger.ListWalletHeads({
    workspace_id: client.workspaceId,
    client_ids: [client.clientId],
  });
  const since = await readEarnings(deps, client, happened.at);
  const later = since.filter((earning) => !isEarnedBy(earning, { rule, happened }));
  return withEarned(facts, (code) => {
    const head = heads.find(({ wallet_type_code }) => wallet_type_code === code);
    const own = later.filter(
      ({ walletTypeCode, sequence, isOwn }) =>
        walletTypeCode === code && (!isOwn || sequence <= (head?.sequence ?? 0)),
    );
    const foreseen = facts.foreseen.filter(({ walletTypeCode }) => walletTypeCode === code);
    return totalOf([
      head?.total_earned ?? 0,
      ...own.map(({ amount }) => -amount),
      ...foreseen.map(({ amount }) => amount),
    ]);
  });
}

async function daysSinceLast(
  { clients }: Pick<Deps, 'clients'>,
  { workspace_id }: Rule,
  happened: Trigger,
): Promise<number | null> {
  const { follows } = happened;
  if (follows?.type === 'transaction' && follows.eventType === 'purchase')
    return daysFrom(follows.at, happened.at);
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
