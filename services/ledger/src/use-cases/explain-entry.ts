import type { Json } from '@laurel/errors';
import type { common, ledger } from '@laurel/rpc';
import { add, subtract, unitsOf, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { makerOf } from '../domain/settle';
import type { EntryDocument } from '../store/documents';
import { requireEntry } from './get-entry';
import { decimal, toEntryReply } from './wire';

/** Why an entry is there, which lots it made and used up, which limits shaped it, and where it stands in its chain. */
export async function explainEntry(
  deps: Deps,
  { workspace_id, id }: common.Id,
): Promise<ledger.Explanation> {
  const entry = await requireEntry(deps, workspace_id, id);
  return {
    entry: toEntryReply(entry),
    caused_by: causeOf(entry),
    lots_made: entry.lots
      .filter(({ by }) => by > 0)
      .map((lot) => shareOf(lot.id, lot.by, lot.expires_at)),
    lots_consumed: consumedBy(entry),
    caps_applied: capsOf(entry),
    chain_position: {
      sequence: entry.sequence,
      prev_hash: entry.prev_hash,
      hash: entry.hash,
    },
  };
}

function shareOf(lotId: string, amount: number, expiresAt: number | null): ledger.LotShare {
  return {
    lot_id: lotId,
    entry_id: makerOf(lotId),
    amount: decimal(amount),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}

/** What a debit took below zero came from no lot. */
function consumedBy(entry: EntryDocument): ledger.LotShare[] {
  const shares = entry.consumed.map((part) => shareOf(part.id, part.amount, part.expires_at));
  if (entry.amount >= 0) return shares;
  const fromLots = add(ZERO, ...entry.consumed.map(({ amount }) => unitsOf(amount)));
  const below = subtract(unitsOf(-entry.amount), fromLots);
  if (below <= 0) return shares;
  return [
    ...shares,
    { lot_id: 'below_zero', entry_id: null, amount: decimal(below), expires_at: null },
  ];
}

function capsOf({ caps, amount }: EntryDocument): Json {
  if (!caps) return {};
  return {
    max_balance: caps.max_balance === null ? null : decimal(caps.max_balance),
    allow_negative_balance: caps.allow_negative,
    requested_amount: decimal(caps.requested),
    capped: caps.requested !== amount,
  };
}

const SUMMARIES = new Map(
  Object.entries({
    manual: 'done through the API',
    maturation: 'a pending earn matured',
    expiry: 'what was left of an earn expired',
    release: 'a hold was released',
    capture: 'a hold was captured',
    cancel: 'an entry was cancelled',
    refund: 'a purchase or redemption was refunded',
    transfer: 'points moved between two clients',
    merge: 'two clients became one',
    client_deleted: 'the client was deleted',
    client_anonymized: 'the client was anonymized',
    transaction: 'a transaction',
  }),
);

function causeOf({ source_type, source_id, actor_type, cause }: EntryDocument): ledger.CausedBy {
  const what = SUMMARIES.get(source_type) ?? `${source_type} ${source_id ?? ''}`.trim();
  const event = cause.causation_id === null ? '' : `, following event ${cause.causation_id}`;
  return { type: source_type, id: source_id, summary: `${what}, by ${actor_type}${event}` };
}
