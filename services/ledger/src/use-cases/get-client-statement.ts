import { platform } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import { add, unitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { Balances } from '../domain/statement';
import { EMPTY_WALLET } from '../domain/wallet';
import { refusals } from '../refusals';
import type { EntryDocument, FiguresDocument, WalletRef } from '../store/documents';
import { fromFigures } from '../store/mapping';
import { periodOf, toBalances } from './get-statement';
import { figuresAt } from './get-wallets';
import { listExpiring } from './list-expiring';
import { findWalletType, walletRef } from './resolve-wallet';
import { toEntryReply } from './wire';

/** As many as a person reads, and more than any year holds. */
const ENTRIES_MAX = 10_000;
/** And with as much metadata as one answer carries: others are being answered at the same time. */
const NOTES_BYTES_MAX = 8 * 1024 * 1024;
const BATCH = 2_000;
const DAYS_MAX = 36_500;

/** Every entry of one client's wallet between two balances, newest first, and what expires when. */
export async function getClientStatement(
  deps: Deps,
  request: ledger.ClientStatementRequest,
): Promise<ledger.ClientStatement> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  if ((await deps.standings.of(workspaceId, clientId)) === null) throw platform.recordNotFound();
  const walletTypeCode = request.wallet_type_code;
  const type = await findWalletType(deps, { workspaceId, walletTypeCode });
  if (!type) throw refusals.noDefaultWalletType();
  const ref = walletRef(workspaceId, clientId, type);
  const period = periodOf(deps, request);
  const [entries, { days }] = await Promise.all([
    entriesIn(deps, ref, period),
    listExpiring(deps, {
      workspace_id: workspaceId,
      client_id: clientId,
      wallet_type_code: type.code,
      within_days: DAYS_MAX,
    }),
  ]);
  const newest = entries.at(0);
  const oldest = entries.at(-1);
  const opening = await figuresBefore(deps, ref, { sequence: oldest?.sequence, to: period.to });
  return {
    opening: toBalances(balancesOf(opening)),
    entries: entries.map(toEntryReply),
    closing: toBalances(balancesOf(newest?.after ?? opening)),
    expiring: days,
  };
}

async function entriesIn(
  { entries }: Deps,
  ref: WalletRef,
  { from, to }: { from: Date | undefined; to: Date },
) {
  const found: EntryDocument[] = [];
  let notesBytes = 0;
  const rows = entries.collection
    .find({
      workspace_id: ref.workspaceId,
      wallet_id: ref.id,
      created_at: { ...(from ? { $gte: from } : {}), $lte: to },
    })
    .sort({ sequence: -1 })
    .limit(ENTRIES_MAX + 1)
    .batchSize(BATCH);
  for await (const row of rows) {
    notesBytes += Buffer.byteLength(JSON.stringify(row.note));
    found.push(row);
    if (found.length > ENTRIES_MAX || notesBytes > NOTES_BYTES_MAX)
      throw refusals.statementTooLong();
  }
  return found;
}

/** How the wallet stood before its entry of a sequence, or where the time has none, at the end of the time. */
async function figuresBefore(
  deps: Deps,
  ref: WalletRef,
  { sequence, to }: { sequence: number | undefined; to: Date },
): Promise<FiguresDocument> {
  if (sequence === undefined) return figuresAt(deps, ref, to);
  const empty = fromFigures(EMPTY_WALLET.figures);
  if (sequence === 1) return empty;
  const before = await deps.entries.collection.findOne({
    workspace_id: ref.workspaceId,
    wallet_id: ref.id,
    sequence: sequence - 1,
  });
  return before?.after ?? empty;
}

function balancesOf({ active, pending, locked }: FiguresDocument): Balances {
  const units = { active: unitsOf(active), pending: unitsOf(pending), locked: unitsOf(locked) };
  return { ...units, total: add(units.active, units.pending, units.locked) };
}
