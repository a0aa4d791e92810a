import { negate, total } from '@laurel/values/amount';
import { applyTransaction, type SpendingTotals } from '../transaction-metrics';
import {
  CUSTOM_KINDS_MAX,
  type Profile,
  type ProfilePass,
  type ProfileWallet,
  REFERRED,
  TIMES_MAX,
  type TierPosition,
} from './profile';
import { withAmount } from './running-sum';
import { earningOf, isCustomKind, keysOf, spendingOf, type Told } from './told';
import type { KeptTrail } from './whole-trail';

/** The profile after something happened to its client; to be called once for each row. */
export function withEvent(profile: Profile, row: Told): Profile {
  const at = row.event_timestamp;
  const all = { ...profile.times };
  for (const key of keysOf(row)) all[key] = withTime(all[key] ?? [], at);
  const times = row.event_category === 'custom' ? withoutOldKinds(all) : all;
  const metrics = { ...profile.metrics };
  if (keysOf(row).includes(REFERRED)) metrics.referrals_completed += 1;
  const spent = spendingOf(row);
  const earned = earningOf(row);
  return {
    ...profile,
    times,
    metrics: spent === null ? metrics : withTransaction(metrics, row),
    spent: spent === null ? profile.spent : withAmount(profile.spent, at, spent),
    earned: earned === null ? profile.earned : withAmount(profile.earned, at, earned),
  };
}

/** The profile as the whole trail of its client makes it. What it bought in all is counted elsewhere and given. */
export function withTrail(
  profile: Profile,
  { referrals, ...kept }: KeptTrail,
  { transactionCount, totalSpending, lastTransactionAt }: SpendingTotals,
): Profile {
  return {
    ...profile,
    ...kept,
    metrics: {
      ...profile.metrics,
      referrals_completed: referrals,
      transaction_count: transactionCount,
      total_spending: totalSpending,
      last_transaction_at: lastTransactionAt,
    },
  };
}

/** The profile after a row was deleted from the trail. Totals of all time stay, as they do elsewhere. */
export function withoutEvent(profile: Profile, row: Told): Profile {
  const at = row.event_timestamp;
  const times = { ...profile.times };
  for (const key of keysOf(row)) times[key] = withoutTime(times[key] ?? [], at);
  const spent = spendingOf(row);
  const earned = earningOf(row);
  return {
    ...profile,
    times,
    spent: spent === null ? profile.spent : withAmount(profile.spent, at, negate(spent)),
    earned: earned === null ? profile.earned : withAmount(profile.earned, at, negate(earned)),
  };
}

/** The profile as an entry left a wallet; an entry that is older than what is known changes nothing. */
export function withWallet(profile: Profile, code: string, wallet: ProfileWallet): Profile {
  const known = profile.wallets[code];
  if (known && known.sequence >= wallet.sequence) return profile;
  const wallets = { ...profile.wallets, [code]: wallet };
  const earned = Object.values(wallets).map((one) => one.earned);
  return {
    ...profile,
    wallets,
    metrics: { ...profile.metrics, points_earned: total(...earned) },
  };
}

/** The profile after a move between tiers; an older move than the known one changes nothing. */
export function withTier(profile: Profile, tierId: string | null, position: TierPosition): Profile {
  const { revision, at } = profile.tier_as_of;
  const isOlder =
    position.revision < revision || (position.revision === revision && position.at < at);
  return isOlder ? profile : { ...profile, tier_id: tierId, tier_as_of: position };
}

export function withPasses(profile: Profile, passes: readonly ProfilePass[]): Profile {
  return { ...profile, passes: [...passes] };
}

function withTransaction(
  metrics: Profile['metrics'],
  { event_type: type, amount, event_timestamp: at }: Told,
): Profile['metrics'] {
  const before = {
    transactionCount: metrics.transaction_count,
    totalSpending: total(metrics.total_spending),
    lastTransactionAt: metrics.last_transaction_at,
  };
  const after = applyTransaction(before, { type, amount: amount!, at });
  return {
    ...metrics,
    transaction_count: after.transactionCount,
    total_spending: after.totalSpending,
    last_transaction_at: after.lastTransactionAt,
  };
}

function withTime(times: readonly Date[], at: Date): Date[] {
  const position = times.findIndex((time) => time <= at);
  const next = [...times];
  next.splice(position < 0 ? times.length : position, 0, at);
  return next.slice(0, TIMES_MAX);
}

/** Without the kinds of custom events that happened longest ago, where there are too many. */
function withoutOldKinds(times: Profile['times']): Profile['times'] {
  const kinds = Object.keys(times).filter((key) => isCustomKind(key));
  if (kinds.length <= CUSTOM_KINDS_MAX) return times;
  const newestOf = (key: string) => times[key]![0]?.getTime() ?? 0;
  const kept = new Set(kinds.sort((a, b) => newestOf(b) - newestOf(a)).slice(0, CUSTOM_KINDS_MAX));
  return Object.fromEntries(
    Object.entries(times).filter(([key]) => !isCustomKind(key) || kept.has(key)),
  );
}

function withoutTime(times: readonly Date[], at: Date): Date[] {
  const position = times.findIndex((time) => time.getTime() === at.getTime());
  return position < 0 ? [...times] : times.filter((_, index) => index !== position);
}
