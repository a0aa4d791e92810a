import { larger, toDecimal, total, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import type { EntryStore } from './entries';
import type { Figures } from './figures';
import type { WalletStore } from './wallets';

interface Stores {
  entries: EntryStore;
  wallets: WalletStore;
  figures: Figures;
}
interface Scope {
  workspaceId: string;
  walletTypeId?: string | undefined;
}

const FLOWS = {
  earn: 'earned',
  spend: 'spent',
  expire: 'expired',
  cancel: 'cancelled',
  adjust: 'adjusted',
} as const;
type Flow = (typeof FLOWS)[keyof typeof FLOWS];
type Flows = Record<Flow, number>;

interface FlowRow {
  _id: { type: keyof typeof FLOWS; day?: string };
  amount: number;
}

/** What came and went, gross: each figure is the sum of its entries' sizes, in decimals. */
export async function sumFlows(
  { entries }: Pick<Stores, 'entries'>,
  scope: Scope & { from?: Date | undefined; to?: Date | undefined },
  groupByTime: string | undefined,
): Promise<{ total: Flows; buckets: ({ date: string } & Flows)[] }> {
  const { from, to } = scope;
  const created = { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) };
  const day = { $dateToString: { format: '%Y-%m-%d', date: '$created_at' } };
  const rows = await entries.collection
    .aggregate<FlowRow>([
      {
        $match: {
          ...matchScope(scope),
          type: { $in: Object.keys(FLOWS) },
          ...(from || to ? { created_at: created } : {}),
        },
      },
      {
        $group: {
          _id: groupByTime === undefined ? { type: '$type' } : { type: '$type', day },
          amount: { $sum: { $abs: '$amount' } },
        },
      },
    ])
    .toArray();
  const whole = sumRows(rows);
  if (groupByTime === undefined) return { total: whole, buckets: [] };
  const dates = new Map<string, FlowRow[]>();
  for (const row of rows) {
    const date = bucketOf(row._id.day!, groupByTime);
    dates.set(date, [...(dates.get(date) ?? []), row]);
  }
  const buckets = [...dates].map(([date, own]) => ({ date, ...sumRows(own) }));
  return { total: whole, buckets: buckets.sort((a, b) => (a.date < b.date ? -1 : 1)) };
}

function sumRows(rows: readonly FlowRow[]): Flows {
  const sums = { earned: 0, spent: 0, expired: 0, cancelled: 0, adjusted: 0 };
  for (const { _id, amount } of rows) sums[FLOWS[_id.type]] += amount;
  const entries = Object.entries(sums).map(([name, sum]) => [name, toDecimal(total(sum))]);
  return Object.fromEntries(entries) as Flows;
}

/** Buckets are UTC; weeks start on Monday (part 3, section 1.2). */
export function bucketOf(day: string, groupByTime: string): string {
  if (groupByTime === 'month') return `${day.slice(0, 7)}-01`;
  if (groupByTime === 'day') return day;
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

export interface Liabilities {
  active_liability: number;
  pending_liability: number;
  locked: number;
}

interface SumRow {
  active: number;
  pending: number;
  locked: number;
}

/** What is owed now: the snapshots, but for wallets with entries that no snapshot may hold yet. */
export async function liabilitiesNow(stores: Stores, scope: Scope): Promise<Liabilities> {
  const fresh = await stores.entries.unrelayedOf(scope);
  const [row] = await stores.wallets.collection
    .aggregate<SumRow>([
      { $match: { ...matchScope(scope), _id: { $nin: fresh } } },
      { $group: sumOf('$figures') },
    ])
    .toArray();
  const newest = await stores.figures.of(scope.workspaceId, fresh);
  const sums = { active: [], pending: [], locked: [] } as Record<keyof SumRow, Units[]>;
  for (const { figures } of newest.values()) {
    sums.active.push(larger(ZERO, unitsOf(figures.active)));
    sums.pending.push(unitsOf(figures.pending));
    sums.locked.push(unitsOf(figures.locked));
  }
  return toLiabilities({
    active: total(row?.active ?? 0, ...sums.active),
    pending: total(row?.pending ?? 0, ...sums.pending),
    locked: total(row?.locked ?? 0, ...sums.locked),
  });
}

/** What was owed at a moment in the past, from the log alone. */
export async function liabilitiesAt(
  { entries }: Pick<Stores, 'entries'>,
  scope: Scope,
  at: Date,
): Promise<Liabilities> {
  const [row] = await entries.collection
    .aggregate<SumRow>([
      { $match: { ...matchScope(scope), created_at: { $lte: at } } },
      {
        $group: {
          _id: '$wallet_id',
          active: { $sum: '$change.active' },
          pending: { $sum: '$change.pending' },
          locked: { $sum: '$change.locked' },
        },
      },
      { $group: sumOf('$') },
    ])
    .toArray();
  return toLiabilities(row ?? { active: 0, pending: 0, locked: 0 });
}

function sumOf(prefix: string) {
  const path = (name: string): string => (prefix === '$' ? `$${name}` : `${prefix}.${name}`);
  return {
    _id: null,
    active: { $sum: { $max: [0, path('active')] } },
    pending: { $sum: path('pending') },
    locked: { $sum: path('locked') },
  };
}

function toLiabilities({ active, pending, locked }: SumRow): Liabilities {
  return {
    active_liability: toDecimal(total(active)),
    pending_liability: toDecimal(total(pending)),
    locked: toDecimal(total(locked)),
  };
}

function matchScope({ workspaceId, walletTypeId }: Scope) {
  return {
    workspace_id: workspaceId,
    ...(walletTypeId === undefined ? {} : { wallet_type_id: walletTypeId }),
  };
}
