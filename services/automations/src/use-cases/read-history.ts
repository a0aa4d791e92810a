import type { ClientMetric } from '@laurel/contract';
import type { clients as clientsApi, ledger as ledgerApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Award, ClientHistory, Earning, Transaction } from '../domain/history';

const ROWS_PER_PAGE = 1_000;

type HistoryDeps = Pick<Deps, 'clients' | 'ledger' | 'executions'>;
const NOTHING: ClientHistory = { transactions: [], earnings: [], referrals: [] };

/** What the metrics that are asked for were made of, up to a moment; the rest is left out. */
export async function readHistory(
  deps: HistoryDeps,
  client: { workspaceId: string; clientId: string },
  { asked, until }: { asked: ReadonlySet<ClientMetric>; until: Date },
): Promise<ClientHistory> {
  const asksForTransactions =
    asked.has('transaction_count') ||
    asked.has('total_spending') ||
    asked.has('days_since_last_transaction');
  const [transactions, earnings, referrals] = await Promise.all([
    asksForTransactions ? readEvents(deps, client, { category: 'transaction', until }) : [],
    asked.has('points_earned') ? readEarnings(deps, client) : NOTHING.earnings,
    asked.has('referrals_completed')
      ? readEvents(deps, client, { category: 'referral', until })
      : [],
  ]);
  return {
    transactions: transactions.map(toTransaction),
    earnings,
    referrals: referrals
      .filter(({ event_type, metadata }) => {
        const { role } = (metadata ?? {}) as { role?: string };
        return event_type === 'referral_completed' && role === 'referrer';
      })
      .map(({ event_timestamp }) => new Date(event_timestamp)),
  };
}

export function toTransaction({
  id,
  event_timestamp,
  event_type,
  amount,
}: clientsApi.Event): Transaction {
  const at = new Date(event_timestamp);
  return { id, at, isRefund: event_type === 'refund', amount: amount ?? 0 };
}

async function readEvents(
  { clients }: Pick<Deps, 'clients'>,
  { workspaceId, clientId }: { workspaceId: string; clientId: string },
  { category, until }: { category: string; until: Date },
): Promise<clientsApi.Event[]> {
  const found: clientsApi.Event[] = [];
  let cursor: string | null | undefined;
  do {
    const page: clientsApi.EventPage = await clients.ListEvents({
      workspace_id: workspaceId,
      client_id: clientId,
      event_category: category,
      to_date: until.toISOString(),
      limit: ROWS_PER_PAGE,
      offset: 0,
      ...(cursor ? { cursor } : {}),
    });
    found.push(...page.events);
    cursor = page.next_cursor;
  } while (cursor);
  return found;
}

/** An earning, and its place in the log of its wallet, which is that of a client who was merged into this one where it is not their own. */
type LoggedEarning = Earning & { sequence: number; isOwn: boolean };

/**
 * What changed the points that a client has earned, whatever the wallet, from a moment on; of the clients that were merged
 * into this one, too. It has no end: what a rule gave over an event comes after it.
 */
export async function readEarnings(
  { ledger, executions }: Pick<Deps, 'ledger' | 'executions'>,
  { workspaceId, clientId }: { workspaceId: string; clientId: string },
  from?: Date,
): Promise<LoggedEarning[]> {
  const found: LoggedEarning[] = [];
  let cursor: string | null | undefined;
  do {
    const page: ledgerApi.EntryPage = await ledger.ListEntries({
      workspace_id: workspaceId,
      client_id: clientId,
      with_merged: true,
      ...(from ? { from_date: from.toISOString() } : {}),
      limit: ROWS_PER_PAGE,
      offset: 0,
      ...(cursor ? { cursor } : {}),
    });
    const changes = page.entries.filter(changesEarned);
    const ids = changes.flatMap((entry) => executionOf(entry) ?? []);
    const awards = ids.length === 0 ? new Map() : await executions.findAwards(workspaceId, ids);
    found.push(
      ...changes.map((entry) => ({
        ...toEarning(entry, awards),
        sequence: entry.sequence,
        isOwn: entry.client_id === clientId,
      })),
    );
    cursor = page.next_cursor;
  } while (cursor);
  return found;
}

/** Totals of wallets are net of what was cancelled or refunded; what is taken by an adjustment counts as spent. */
function changesEarned({ type, amount }: ledgerApi.Entry): boolean {
  return type === 'earn' || (type === 'adjust' && amount > 0) || (type === 'cancel' && amount < 0);
}

/** The execution that an entry says it comes from. */
function executionOf({ metadata }: ledgerApi.Entry): string | null {
  const { automation_execution_id: id } = (metadata ?? {}) as { automation_execution_id?: unknown };
  return typeof id === 'string' ? id : null;
}

function toEarning(entry: ledgerApi.Entry, awards: ReadonlyMap<string, Award>): Earning {
  const { type, amount, created_at, wallet_type_code } = entry;
  return {
    at: new Date(created_at),
    walletTypeCode: wallet_type_code,
    amount,
    isEarn: type === 'earn',
    award: awards.get(executionOf(entry) ?? '') ?? null,
  };
}
