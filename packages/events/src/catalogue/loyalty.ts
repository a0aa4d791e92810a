import {
  LEDGER_ENTRY_STATUSES,
  LEDGER_ENTRY_TYPES,
  type LedgerEntryStatus,
  type LedgerEntryType,
} from '@laurel/contract';
import Joi, { type ObjectSchema } from 'joi';
import { defineEvent, type EventDefinition } from './define';
import {
  amount,
  anyObject,
  count,
  flag,
  id,
  name,
  nullableText,
  nullableTimestamp,
  sample,
  text,
  timestamp,
} from './fields';

/** An entry as the API shows it (part 1, Points ledger entry; part 3, 4.2). */
export interface LedgerEntry {
  id: string;
  client_wallet_id: string;
  client_id: string;
  workspace_id: string;
  type: LedgerEntryType;
  amount: number;
  balance_after: number;
  status: LedgerEntryStatus;
  source_type: string;
  source_id: string | null;
  external_id: string | null;
  expires_at: string | null;
  description: string | null;
  metadata: Record<string, unknown>;
  created_at: string;
  sequence: number;
}
/** The wallet right after the entry. */
export interface WalletBalances {
  id: string;
  wallet_type_id: string;
  wallet_type_code: string;
  active_balance: number;
  pending_balance: number;
  locked_balance: number;
  total_earned: number;
  total_spent: number;
  total_expired: number;
}
export interface PointsMoved {
  entry: LedgerEntry;
  wallet: WalletBalances;
  client_id: string;
  /** Change of the active balance, signed. */
  points_delta: number;
}
export type PointsEarned = PointsMoved;
export type PointsSpent = PointsMoved;
export type PointsAdjusted = PointsMoved;
export type PointsExpired = PointsMoved;
export interface PointsTransferred extends PointsMoved {
  counterpart: { client_id: string; client_wallet_id: string; entry_id: string };
}
export interface WalletTypeChanged {
  id: string;
  workspace_id: string;
  code: string;
  name: string;
  is_default: boolean;
  active: boolean;
  unit_singular_name: string | null;
  unit_plural_name: string | null;
}
export interface WalletTypeDeleted {
  id: string;
  workspace_id: string;
  code: string;
}
export interface LoyaltyConfigUpdated {
  workspace_id: string;
  program_name: string | null;
  program_currency: string;
}

const entrySchema = Joi.object<LedgerEntry>({
  id: id(),
  client_wallet_id: id(),
  client_id: id(),
  workspace_id: id(),
  type: Joi.string()
    .valid(...LEDGER_ENTRY_TYPES)
    .required(),
  amount: amount(),
  balance_after: amount(),
  status: Joi.string()
    .valid(...LEDGER_ENTRY_STATUSES)
    .required(),
  source_type: name(),
  source_id: nullableText(),
  external_id: nullableText(),
  expires_at: nullableTimestamp(),
  description: nullableText(),
  metadata: anyObject(),
  created_at: timestamp(),
  sequence: count().min(1),
}).required();

const walletSchema = Joi.object<WalletBalances>({
  id: id(),
  wallet_type_id: id(),
  wallet_type_code: name(),
  active_balance: amount(),
  pending_balance: amount(),
  locked_balance: amount(),
  total_earned: amount(),
  total_spent: amount(),
  total_expired: amount(),
}).required();

const moved = { entry: entrySchema, wallet: walletSchema, client_id: id(), points_delta: amount() };
const movedSchema: ObjectSchema<PointsMoved> = Joi.object<PointsMoved>(moved);

function movedExample(type: LedgerEntryType, delta: number): PointsMoved {
  return {
    entry: {
      id: sample.entryId,
      client_wallet_id: sample.walletId,
      client_id: sample.clientId,
      workspace_id: sample.workspaceId,
      type,
      amount: delta,
      balance_after: 100 + delta,
      status: 'active',
      source_type: 'manual',
      source_id: null,
      external_id: 'order-1042',
      expires_at: null,
      description: null,
      metadata: {},
      created_at: sample.at,
      sequence: 7,
    },
    wallet: {
      id: sample.walletId,
      wallet_type_id: sample.walletTypeId,
      wallet_type_code: 'points',
      active_balance: 100 + delta,
      pending_balance: 0,
      locked_balance: 0,
      total_earned: 250,
      total_spent: 120,
      total_expired: 0,
    },
    client_id: sample.clientId,
    points_delta: delta,
  };
}

const owned = { version: 1, source: 'ledger' } as const;
const internal = { ...owned, webhook: null } as const;
/** What a shop writes beside the points. */
const personal = { 'entry.description': null, 'entry.metadata': {} } as const;

function points<const Type extends `loyalty.points_${string}`>(
  type: Type,
  description: string,
  example: PointsMoved,
): EventDefinition<Type, PointsMoved> {
  return defineEvent({
    ...owned,
    ...{ type, webhook: type, description, schema: movedSchema, example, personal },
  });
}

const walletType = {
  id: id(),
  workspace_id: id(),
  code: name(),
  name: name(),
  is_default: flag(),
  active: flag(),
  unit_singular_name: nullableText(),
  unit_plural_name: nullableText(),
};
const walletTypeExample: WalletTypeChanged = {
  id: sample.walletTypeId,
  workspace_id: sample.workspaceId,
  code: 'points',
  name: 'Points',
  is_default: true,
  active: true,
  unit_singular_name: 'point',
  unit_plural_name: 'points',
};

/** What the ledger did, and its configuration. */
export const loyaltyEvents = [
  points(
    'loyalty.points_earned',
    'Points were earned; pending ones have entry.status pending.',
    movedExample('earn', 25),
  ),
  points('loyalty.points_spent', 'Points were spent.', movedExample('spend', -40)),
  points('loyalty.points_adjusted', 'Points were adjusted by hand.', movedExample('adjust', 10)),
  points(
    'loyalty.points_expired',
    'What was left of an earn lot expired.',
    movedExample('expire', -5),
  ),
  points('loyalty.points_matured', 'Pending points became active.', movedExample('unlock', 25)),
  points('loyalty.points_locked', 'A hold was placed on points.', movedExample('lock', -30)),
  points('loyalty.points_unlocked', 'A hold was released.', movedExample('unlock', 30)),
  points('loyalty.points_cancelled', 'An entry was reversed.', movedExample('cancel', -25)),
  points(
    'loyalty.points_refunded',
    'Points went back, or earned points were taken back, by a refund.',
    movedExample('cancel', 40),
  ),
  defineEvent({
    ...owned,
    type: 'loyalty.points_transferred',
    webhook: 'loyalty.points_transferred',
    description: 'Points moved between two wallets; one event per side, each naming the other.',
    schema: Joi.object<PointsTransferred>({
      ...moved,
      counterpart: Joi.object({
        client_id: id(),
        client_wallet_id: id(),
        entry_id: id(),
      }).required(),
    }),
    example: {
      ...movedExample('transfer_out', -15),
      counterpart: {
        client_id: sample.otherClientId,
        client_wallet_id: '0198f3a0-0000-7000-8000-000000000013',
        entry_id: '0198f3a0-0000-7000-8000-000000000014',
      },
    },
    personal,
  }),
  defineEvent({
    ...internal,
    type: 'loyalty.wallet_type_created',
    description: 'A wallet type exists.',
    schema: Joi.object<WalletTypeChanged>(walletType),
    example: walletTypeExample,
  }),
  defineEvent({
    ...internal,
    type: 'loyalty.wallet_type_updated',
    description: 'A wallet type changed.',
    schema: Joi.object<WalletTypeChanged>(walletType),
    example: walletTypeExample,
  }),
  defineEvent({
    ...internal,
    type: 'loyalty.wallet_type_deleted',
    description: 'A wallet type is gone.',
    schema: Joi.object<WalletTypeDeleted>({ id: id(), workspace_id: id(), code: name() }),
    example: { id: sample.walletTypeId, workspace_id: sample.workspaceId, code: 'points' },
  }),
  defineEvent({
    ...internal,
    type: 'loyalty.config_updated',
    description: 'The name or currency of a loyalty programme changed.',
    schema: Joi.object<LoyaltyConfigUpdated>({
      workspace_id: id(),
      program_name: nullableText(),
      program_currency: text(),
    }),
    example: {
      workspace_id: sample.workspaceId,
      program_name: 'Corner Club',
      program_currency: 'points',
    },
  }),
] as const;
