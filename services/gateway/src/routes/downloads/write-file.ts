import { csvLine } from '@laurel/contract';
import { withoutDeadline } from '../../routing';
import type { RpcClients } from '../../rpc-clients';

const PAGE = 500;

interface Period {
  from_date?: string | undefined;
  to_date?: string | undefined;
}

const ENTRY_COLUMNS = [
  'created_at',
  'wallet_type_code',
  'type',
  'amount',
  'balance_after',
  'status',
  'description',
  'source_type',
  'source_id',
  'external_id',
  'expires_at',
  'id',
] as const;

/**
 * The entries of one client, of all currencies, as CSV, newest first; each page has the time that a request has. The names of
 * the columns come with the first page, so that where that fails nothing was said yet.
 */
export async function* statementLines(
  { ledger }: RpcClients,
  asked: Period & { workspace_id: string; client_id: string },
): AsyncGenerator<string> {
  let head = csvLine(ENTRY_COLUMNS);
  for (let cursor: string | undefined; ; ) {
    const request = { ...asked, limit: PAGE, offset: 0, cursor };
    const page = await withoutDeadline(() => ledger.ListEntries(request));
    const rows = page.entries.map((entry) => csvLine(ENTRY_COLUMNS.map((name) => entry[name])));
    const text = head + rows.join('');
    if (text !== '') yield text;
    head = '';
    if (!page.next_cursor) return;
    cursor = page.next_cursor;
  }
}

const REDEMPTION_COLUMNS = [
  'redemption_date',
  'reward_name',
  'client_id',
  'points_spent',
  'status',
  'source',
  'coupon_code',
  'used_at',
  'cancelled_at',
  'reward_id',
  'id',
] as const;

/**
 * Redemptions as CSV, newest first. Each page goes on from the moment of the last row, behind the rows of that moment that
 * were there: what is redeemed meanwhile shifts nothing, and the last page costs what the first did.
 */
export async function* redemptionLines(
  { rewards }: RpcClients,
  asked: Period & { workspace_id: string; client_id?: string; reward_id?: string },
): AsyncGenerator<string> {
  let head = csvLine(REDEMPTION_COLUMNS);
  let to_date = asked.to_date;
  for (let offset = 0; ; ) {
    const page = { ...asked, to_date, limit: PAGE, offset };
    const { redemptions } = await withoutDeadline(() => rewards.ListRedemptions(page));
    const rows = redemptions.map((row) => csvLine(REDEMPTION_COLUMNS.map((name) => row[name])));
    const text = head + rows.join('');
    if (text !== '') yield text;
    head = '';
    if (redemptions.length < PAGE) return;
    const last = redemptions.at(-1)!.redemption_date;
    const ofThen = redemptions.filter(({ redemption_date: at }) => at === last).length;
    offset = last === to_date ? offset + ofThen : ofThen;
    to_date = last;
  }
}
