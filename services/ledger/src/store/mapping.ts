import type { Context } from '@laurel/lifecycle';
import { unitsOf } from '@laurel/values/amount';
import type { Draft, Figures, Hold, Lot, LotChange, LotRef, Part, Wallet } from '../domain/types';
import type { Effect } from '../domain/wallet';
import type {
  CauseDocument,
  EntryBody,
  EntryDocument,
  FiguresDocument,
  HoldDocument,
  LotChangeDocument,
  LotDocument,
  LotRefDocument,
  PartDocument,
  WalletDocument,
  WalletLotsDocument,
  WalletRef,
} from './documents';

/** The wallet that an entry or a snapshot is of. */
export const walletOf = (
  entry: Pick<
    EntryDocument,
    'wallet_id' | 'workspace_id' | 'client_id' | 'wallet_type_id' | 'wallet_type_code'
  >,
): WalletRef => ({
  id: entry.wallet_id,
  workspaceId: entry.workspace_id,
  clientId: entry.client_id,
  walletTypeId: entry.wallet_type_id,
  walletTypeCode: entry.wallet_type_code,
});

export function toFigures(stored: FiguresDocument): Figures {
  return {
    active: unitsOf(stored.active),
    pending: unitsOf(stored.pending),
    locked: unitsOf(stored.locked),
    earned: unitsOf(stored.earned),
    spent: unitsOf(stored.spent),
    expired: unitsOf(stored.expired),
    moved: unitsOf(stored.moved),
  };
}

export function fromFigures(figures: Partial<Figures>): FiguresDocument {
  const { active = 0, pending = 0, locked = 0 } = figures;
  const { earned = 0, spent = 0, expired = 0, moved = 0 } = figures;
  return { active, pending, locked, earned, spent, expired, moved };
}

function toLotRef(stored: LotRefDocument): LotRef {
  const { id, made_at: madeAt, sequence, expires_at: expiresAt } = stored;
  return { id, madeAt, sequence, expiresAt };
}

function fromLotRef({ id, madeAt, sequence, expiresAt }: LotRef): LotRefDocument {
  return { id, made_at: madeAt, sequence, expires_at: expiresAt };
}

export function toPart(stored: PartDocument): Part {
  return { lot: toLotRef(stored), amount: unitsOf(stored.amount) };
}

function fromPart({ lot, amount }: Part): PartDocument {
  return { ...fromLotRef(lot), amount };
}

function toHold({ id, amount, expires_at: expiresAt, parts, outcome }: HoldDocument): Hold {
  return { id, amount: unitsOf(amount), expiresAt, parts: parts.map(toPart), outcome };
}

function fromHold({ id, amount, expiresAt, parts, outcome }: Hold): HoldDocument {
  return { id, amount, expires_at: expiresAt, parts: parts.map(fromPart), outcome };
}

function toLot(stored: LotDocument): Lot {
  const { remaining, matures_at: maturesAt } = stored;
  return { ...toLotRef(stored), remaining: unitsOf(remaining), maturesAt };
}

function fromLot(lot: Lot): LotDocument {
  return { ...fromLotRef(lot), remaining: lot.remaining, matures_at: lot.maturesAt };
}

function toLotChange(stored: LotChangeDocument): LotChange {
  return { lot: toLotRef(stored), by: unitsOf(stored.by), maturesAt: stored.matures_at };
}

/** What a stored entry did to its wallet. */
export function toEffect(entry: Pick<EntryBody, 'change' | 'lots' | 'holds' | 'closing'>): Effect {
  return {
    change: toFigures(entry.change),
    lots: entry.lots.map(toLotChange),
    holds: entry.holds.map(toHold),
    closing: entry.closing,
  };
}

/** The parts of an entry's body that its draft decides. */
export function fromDraft(draft: Draft) {
  return {
    type: draft.type,
    first_status: draft.status,
    amount: draft.amount,
    change: fromFigures(draft.change),
    lots: draft.lots.map((change) => ({
      ...fromLotRef(change.lot),
      by: change.by,
      matures_at: change.maturesAt,
    })),
    consumed: draft.consumed.map(fromPart),
    holds: draft.holds.map(fromHold),
    marks: draft.marks.map(({ entryId, status }) => ({ entry_id: entryId, status })),
    caps: draft.caps && {
      max_balance: draft.caps.maxBalance,
      allow_negative: draft.caps.allowNegative,
      requested: draft.caps.requested,
    },
    closing: draft.closing && { successor: draft.closing.successor },
    source_type: draft.sourceType,
    source_id: draft.sourceId,
    external_id: draft.externalId,
    expires_at: draft.expiresAt === null ? null : new Date(draft.expiresAt),
  };
}

export function fromContext(context: Context): CauseDocument {
  const { requestId, correlationId, causationId, chain, depth, traceparent } = context;
  return {
    request_id: requestId,
    correlation_id: correlationId,
    causation_id: causationId,
    chain: [...chain],
    depth,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

/** The wallet as its snapshot has it. */
export function toWallet(
  stored: WalletDocument,
  { lots, holds }: Pick<WalletLotsDocument, 'lots' | 'holds'>,
): Wallet {
  return {
    sequence: stored.sequence,
    lastAt: stored.last_at,
    figures: toFigures(stored.figures),
    lots: lots.map(toLot),
    holds: holds.map(toHold),
    closing: stored.closing,
  };
}

export function fromLots(wallet: Wallet): Pick<WalletLotsDocument, 'lots' | 'holds'> {
  return { lots: wallet.lots.map(fromLot), holds: wallet.holds.map(fromHold) };
}
