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

/** The entries of one client, of all currencies, as CSV, newest first; each page has the time that a request has. */
export const statementLines = (
  rpc: RpcClients,
  asked: Period & { workspace_id: string; client_id: string },
): AsyncGenerator<string> => csvOf(ENTRY_COLUMNS, entryPages(rpc, asked));

async function* entryPages(
  { ledger }: RpcClients,
  asked: Period & { workspace_id: string; client_id: string },
) {
  for (let cursor: string | undefined; ; ) {
    const request = { ...asked, limit: PAGE, offset: 0, cursor };
    const page = await withoutDeadline(() => ledger.ListEntries(request));
    yield page.entries;
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

/** Redemptions as CSV, newest first. */
export const redemptionLines = (rpc: RpcClients, asked: RedemptionsAsked): AsyncGenerator<string> =>
  csvOf(REDEMPTION_COLUMNS, redemptionPages(rpc, asked));

type RedemptionsAsked = Period & { workspace_id: string; client_id?: string; reward_id?: string };

/**
 * Each page goes on from the moment of the last row, behind the rows of that moment that
 * were there: what is redeemed meanwhile shifts nothing, and the last page costs what the first did.
 */
async function* redemptionPages({ rewards }: RpcClients, asked: RedemptionsAsked) {
  let to_date = asked.to_date;
  for (let offset = 0; ; ) {
    const page = { ...asked, to_date, limit: PAGE, offset };
    const { redemptions } = await withoutDeadline(() => rewards.ListRedemptions(page));
    yield redemptions;
    if (redemptions.length < PAGE) return;
    const last = redemptions.at(-1)!.redemption_date;
    const ofThen = redemptions.filter(({ redemption_date: at }) => at === last).length;
    offset = last === to_date ? offset + ofThen : ofThen;
    to_date = last;
  }
}

/**
 * The named columns of pages of rows. Their names come with the first page, so that where that fails nothing was said yet;
 * of a page without rows nothing comes.
 */
async function* csvOf<Name extends string>(
  columns: readonly Name[],
  pages: AsyncIterable<readonly { readonly [Column in Name]?: unknown }[]>,
): AsyncGenerator<string> {
  let head = csvLine(columns);
  for await (const rows of pages) {
    const text = head + rows.map((row) => csvLine(columns.map((name) => row[name]))).join('');
    if (text !== '') yield text;
    head = '';
  }
}
