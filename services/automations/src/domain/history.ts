import type { TriggerType } from '@laurel/contract';
import { totalOf } from '@laurel/values/amount';
import { daysFrom, type Facts, type WalletFacts } from './facts';
import { formulasOf, type MetricQuestion, type Rule } from './rule';
import type { Trigger } from './trigger';

const DAY_MS = 86_400_000;

/** What metrics are made of, of one client; each list in any order. */
export interface ClientHistory {
  transactions: readonly Transaction[];
  earnings: readonly Earning[];
  /** When referrals of the client were completed. */
  referrals: readonly Date[];
}

export interface Transaction {
  id: string;
  at: Date;
  /** Anything but a refund is a purchase. */
  isRefund: boolean;
  amount: number;
}

/** What changed the points that a wallet has earned in all. */
export interface Earning {
  at: Date;
  walletTypeCode: string;
  amount: number;
  /** Earned, not adjusted or taken back: what counts over a period. */
  isEarn: boolean;
  /** Of which execution they are; null for points that no rule gave. */
  award: Award | null;
}

/** Which rule gave points, and over what. */
export interface Award {
  ruleId: string;
  /** Of the rule when it ran. */
  priority: number;
  eventId: string;
  /** Under which id the trail has the event, of which it tells once for each side of a referral; absent of others. */
  sideId?: string;
  at: Date;
}

/** A rule and what it is asked about. */
export interface Occasion {
  rule: Pick<Rule, 'id' | 'priority'>;
  happened: Trigger;
}

/** As an occasion, with the whole rule. */
export interface RuleOccasion extends Occasion {
  rule: Rule;
}

/** Columns of a client that never change: what a formula reads of them is right at any time. */
const UNCHANGING =
  /\bclient\.(id|workspace_id|registration_date|date_created|days_since_registration)\b/g;

/** What a rule looks at that can only be given as it is now (part 4, section 6), in the words of the API. */
export function approximationsFor(rule: Pick<Rule, 'conditions' | 'effects'>): string[] {
  const types = new Set(rule.conditions.map(({ type }) => type));
  const text = formulasOf(rule)
    .map(({ expression }) => expression.replaceAll(UNCHANGING, ''))
    .join('\n');
  const mentions = (variable: string) => new RegExp(`\\b${variable}\\b`).test(text);
  return [
    ...(types.has('wallet_balance') || mentions('wallet') ? ['balances'] : []),
    ...(types.has('tier') || mentions('tier') ? ['tier'] : []),
    ...(types.has('segment') ? ['segments'] : []),
    ...(mentions('client') ? ['client_fields'] : []),
  ];
}

/** What of the metadata that these events have the trail keeps; of all others it keeps the whole. */
const TRAILED: Readonly<Partial<Record<TriggerType, readonly string[]>>> = {
  loyalty: [
    ...['wallet_type_code', 'points_delta', 'balance_after', 'source_type', 'source_id'],
    ...['tier_id', 'tier_name', 'previous_tier_id', 'previous_tier_name', 'manually_assigned'],
    ...['reward_id', 'reward_name', 'redemption_id', 'coupon_code'],
  ],
  referral: ['referral_id', 'referral_code', 'referrer_completed_count'],
};
const METADATA = /\bmetadata\b(?:\s*\.\s*(\w+)|\s*\[\s*["'](\w+)["']\s*\])?/g;

/** The same of events of the past: also what came with them and is not kept. */
export function approximationsInPast(
  rule: Pick<Rule, 'trigger_type' | 'conditions' | 'effects'>,
): string[] {
  const trailed = TRAILED[rule.trigger_type];
  const asked = formulasOf(rule).flatMap(({ expression }) => [...expression.matchAll(METADATA)]);
  const isUntrailed =
    trailed !== undefined &&
    asked.some(([, member = '', index = '']) => !trailed.includes(member || index));
  return [...approximationsFor(rule), ...(isUntrailed ? ['event_metadata'] : [])];
}

/**
 * The facts with metrics as they were when something happened (part 4, section 6); a purchase is in its own count and
 * spending, and points that rules before gave over the same event are earned.
 */
export function factsAsOf(facts: Facts, history: ClientHistory, occasion: Occasion): Facts {
  const { happened } = occasion;
  const earned = history.earnings.filter((earning) => isEarnedBy(earning, occasion));
  const told = history.transactions.filter((one) => isNoLater(one, happened));
  const inAll = (code: string) =>
    sumOf(earned.filter(({ walletTypeCode }) => walletTypeCode === code));
  const then = withEarned({ ...facts, now: happened.at }, inAll);
  return {
    ...then,
    metrics: {
      ...then.metrics,
      transaction_count: told.filter(({ isRefund }) => !isRefund).length,
      total_spending: spendingOf(told),
      referrals_completed: history.referrals.filter((completed) => completed <= happened.at).length,
      days_since_last_transaction: daysSincePrevious(told, happened),
    },
  };
}

/** The facts with what each active wallet has earned in all, and what all of these have. */
export function withEarned(facts: Facts, inAll: (walletTypeCode: string) => number): Facts {
  const wallets = Object.entries(facts.wallets).map(([code, wallet]): [string, WalletFacts] => [
    code,
    { ...wallet, earned: inAll(code) },
  ]);
  const points_earned = totalOf(wallets.map(([, { earned }]) => earned));
  return {
    ...facts,
    wallets: Object.fromEntries(wallets),
    metrics: { ...facts.metrics, points_earned },
  };
}

/** A metric over the days up to a happening. */
export function measuredAsOf(
  history: ClientHistory,
  question: MetricQuestion,
  occasion: Occasion,
): number | null {
  const { happened } = occasion;
  const { metric, period_days: days = 0 } = question;
  const since = new Date(happened.at.getTime() - days * DAY_MS);
  const told = history.transactions.filter((one) => one.at >= since && isNoLater(one, happened));
  switch (metric) {
    case 'transaction_count':
      return told.filter(({ isRefund }) => !isRefund).length;
    case 'total_spending':
      return spendingOf(told);
    case 'referrals_completed':
      return history.referrals.filter((at) => at >= since && at <= happened.at).length;
    case 'points_earned':
      return earnedOver(history.earnings, question, occasion);
    case 'days_since_last_transaction':
      return atMost(days, daysSincePrevious(history.transactions, happened));
  }
}

/** Points that were earned in the days up to a happening, in one wallet or in all. */
export function earnedOver(
  earnings: readonly Earning[],
  { period_days: days = 0, wallet_type_code: code }: MetricQuestion,
  occasion: Occasion,
): number {
  const since = new Date(occasion.happened.at.getTime() - days * DAY_MS);
  return sumOf(
    earnings.filter(
      (earning) =>
        earning.isEarn &&
        earning.at >= since &&
        (code === undefined || code === earning.walletTypeCode) &&
        isEarnedBy(earning, occasion),
    ),
  );
}

/**
 * Whether points had been earned when a rule was asked about a happening. Those that a rule gave count from the event
 * it gave them over, however long that took; over the same event, where that rule stands before the one that is asked.
 */
export function isEarnedBy({ at, award }: Earning, { rule, happened }: Occasion): boolean {
  if (award && (award.eventId === happened.eventId || award.sideId === happened.eventId))
    return (
      award.priority < rule.priority || (award.priority === rule.priority && award.ruleId < rule.id)
    );
  if (at <= happened.at) return true;
  return award !== null && isNoLater({ at: award.at, id: award.eventId }, happened);
}

/** A number of days, where it is no more than so many. */
export function atMost(days: number, passed: number | null): number | null {
  return passed !== null && passed <= days ? passed : null;
}

/**
 * Whole days from the last purchase before something happened; null without one. A purchase is not its own last one:
 * what welcomes somebody back after a month asks how long they were away.
 */
export function daysSincePrevious(
  transactions: readonly Transaction[],
  happened: Trigger,
): number | null {
  const earlier = transactions.filter(
    (one) => !one.isRefund && one.id !== happened.eventId && isNoLater(one, happened),
  );
  if (earlier.length === 0) return null;
  const last = Math.max(...earlier.map(({ at }) => at.getTime()));
  return daysFrom(new Date(last), happened.at);
}

/** Of transactions of one moment the one with the lower id came first: ids are made in the order of time. */
function isNoLater({ at, id }: Pick<Transaction, 'at' | 'id'>, happened: Trigger): boolean {
  if (at.getTime() !== happened.at.getTime()) return at < happened.at;
  return happened.type !== 'transaction' || id <= happened.eventId;
}

function spendingOf(transactions: readonly Transaction[]): number {
  return totalOf(transactions.map(({ isRefund, amount }) => (isRefund ? -amount : amount)));
}

function sumOf(earnings: readonly Earning[]): number {
  return totalOf(earnings.map(({ amount }) => amount));
}
