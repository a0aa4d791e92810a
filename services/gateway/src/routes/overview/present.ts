import type { PointFlow } from '@laurel/contract';
import type { clients, ledger, passes, rewards, tiers } from '@laurel/rpc';
import { totalOf } from '@laurel/values/amount';
import { type Bucket, type Days, daysBetween } from './calendar';

export interface OverviewParts {
  customers: clients.CustomerFigures | null;
  currencies: ledger.DailyFigures | null;
  redemptions: rewards.DailyRedemptions | null;
  passes: passes.PassFigures | null;
  tiers: tiers.TierClientCounts | null;
}
export interface OverviewDays {
  /** The first day that services sent. */
  first: string;
  range: Days;
  past: Days | null;
  buckets: readonly Bucket[];
}

const DAY_MS = 86_400_000;

type Figure = number | null;
type Part = readonly [from: number, until: number];

export function presentOverview(parts: OverviewParts, days: OverviewDays) {
  const { customers, currencies, redemptions, passes, tiers } = parts;
  const { range, past, buckets } = days;
  const whole = partOf(days.first, range);
  const earlier = past && partOf(days.first, past);
  const inBuckets = <T extends object>(make: (part: Part, index: number) => T) =>
    buckets.map(({ date, days: [from, until] }, index) => ({
      date,
      ...make(within(whole, [from, until]), index),
    }));
  const newClients = (customers?.new_by_day ?? []).map(countIn);
  const redeemed = (redemptions?.days ?? []).map(countIn);
  const made = (passes?.made_by_day ?? []).map(countIn);
  const active = (customers?.active ?? []).map(countIn);
  const activeInBuckets = active.slice(past ? 2 : 1);
  return {
    customers: customers && {
      total: customers.total,
      new: sumOf(newClients, whole),
      active: active[0] ?? null,
      buckets: inBuckets((part, index) => ({
        new: sumOf(newClients, part),
        active: activeInBuckets[index] ?? null,
      })),
    },
    currencies: currencies?.wallet_types.map(({ wallet_type_code, days }) => ({
      wallet_type_code,
      ...flowsOf(days, whole),
      owed: closingOf(days, whole, 'owed'),
      pending: closingOf(days, whole, 'pending'),
      buckets:
        inBuckets((part) => ({
          ...flowsOf(days, part),
          owed: closingOf(days, part, 'owed'),
        })) ?? null,
    })),
    redemptions: redemptions && {
      count: sumOf(redeemed, whole),
      buckets: inBuckets((part) => ({ count: sumOf(redeemed, part) })),
    },
    passes: passes && {
      ...passes.counts!,
      new: sumOf(made, whole),
      buckets: inBuckets((part) => ({ new: sumOf(made, part) })),
    },
    tiers: tiers && [
      ...Object.entries(tiers.tiers).map(([tier_id, count]) => ({ tier_id, count })),
      { tier_id: null, count: tiers.untiered },
    ],
    previous: past &&
      earlier && {
        from_date: past.first,
        to_date: past.last,
        customers: customers && { new: sumOf(newClients, earlier), active: active[1] ?? null },
        currencies:
          currencies?.wallet_types.map(({ wallet_type_code, days }) => ({
            wallet_type_code,
            ...flowsOf(days, earlier),
            owed: closingOf(days, earlier, 'owed'),
          })) ?? null,
        redemptions: redemptions && { count: sumOf(redeemed, earlier) },
        passes: passes && { new: sumOf(made, earlier) },
      },
  };
}

const countIn = ({ value }: { value?: number | null | undefined }): Figure => value ?? null;

/** Where some days lie among those sent: before them where nothing had happened, after where nothing has yet. */
function partOf(first: string, days: Days): Part {
  const from = (Date.parse(days.first) - Date.parse(first)) / DAY_MS;
  return [from, from + daysBetween(days).length];
}

/** The values of a part that were sent. */
const toldOf = <T>(values: readonly T[], [from, until]: Part): T[] =>
  values.slice(Math.max(0, from), Math.max(0, until));

const within = ([start]: Part, [from, until]: Part): Part => [start + from, start + until];

/** Unknown as soon as one day is. */
function sumOf(values: readonly Figure[], part: Part): Figure {
  let sum = 0;
  for (const value of toldOf(values, part)) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

function flowsOf(days: readonly ledger.DayOfWalletType[], part: Part) {
  const told = toldOf(days, part).map(({ figure }) => figure);
  const isKnown = told.every((figure) => figure !== undefined && figure !== null);
  const sum = (name: PointFlow): Figure =>
    isKnown ? totalOf(told.map((figure) => figure![name])) : null;
  return { issued: sum('issued'), used: sum('used'), expired: sum('expired') };
}

/** As of the last day of a part, or the last one that has come. */
function closingOf(
  days: readonly ledger.DayOfWalletType[],
  [, until]: Part,
  name: 'owed' | 'pending',
): Figure {
  const last = days[Math.min(until, days.length) - 1];
  return until <= 0 || days.length === 0 ? 0 : (last?.figure?.[name] ?? null);
}
