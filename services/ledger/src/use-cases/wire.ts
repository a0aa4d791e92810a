import type { Json } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import { toDecimal, unitsOf } from '@laurel/values/amount';
import type { EntryDocument, FiguresDocument, WalletRef } from '../store/documents';
import type { LoyaltyConfigDocument } from '../store/loyalty-configs';
import type { WalletTypeDocument } from '../store/wallet-types';

/** Stored units as the decimal on the wire. */
export function decimal(stored: number): number {
  return toDecimal(unitsOf(stored));
}

export function toEntryReply(entry: EntryDocument): ledger.Entry {
  return {
    id: entry._id,
    client_wallet_id: entry.wallet_id,
    client_id: entry.client_id,
    workspace_id: entry.workspace_id,
    wallet_type_id: entry.wallet_type_id,
    wallet_type_code: entry.wallet_type_code,
    type: entry.type,
    amount: decimal(entry.amount),
    balance_after: decimal(entry.after.active),
    status: entry.status,
    source_type: entry.source_type,
    source_id: entry.source_id,
    external_id: entry.external_id,
    expires_at: entry.expires_at?.toISOString() ?? null,
    description: entry.note?.description ?? null,
    metadata: (entry.note?.metadata ?? {}) as Json,
    created_at: entry.created_at.toISOString(),
    sequence: entry.sequence,
    prev_hash: entry.prev_hash,
    hash: entry.hash,
  };
}

export function toWalletReply(ref: WalletRef, figures: FiguresDocument): ledger.Wallet {
  return {
    id: ref.id,
    client_id: ref.clientId,
    wallet_type_id: ref.walletTypeId,
    workspace_id: ref.workspaceId,
    active_balance: decimal(figures.active),
    pending_balance: decimal(figures.pending),
    locked_balance: decimal(figures.locked),
    total_earned: decimal(figures.earned),
    total_spent: decimal(figures.spent),
    total_expired: decimal(figures.expired),
  };
}

export function toWalletTypeReply(type: WalletTypeDocument): ledger.WalletType {
  return {
    id: type._id,
    workspace_id: type.workspace_id,
    code: type.code,
    name: type.name,
    is_default: type.is_default,
    active: type.active,
    unit_singular_name: type.unit_singular_name,
    unit_plural_name: type.unit_plural_name,
    pending_days: type.pending_days,
    expiry_days: type.expiry_days,
    max_balance: type.max_balance === null ? null : decimal(type.max_balance),
    allow_negative_balance: type.allow_negative_balance,
    date_created: type.date_created.toISOString(),
    date_updated: type.date_updated.toISOString(),
  };
}

export function toConfigReply(config: LoyaltyConfigDocument): ledger.LoyaltyConfig {
  return {
    id: config._id,
    workspace_id: config.workspace_id,
    program_name: config.program_name,
    program_currency: config.program_currency,
    settings: config.settings as Json,
    date_created: config.date_created.toISOString(),
    date_updated: config.date_updated.toISOString(),
  };
}
