import { LEDGER_ENTRY_STATUSES, LEDGER_ENTRY_TYPES } from '@laurel/contract';
import type { ledger } from '@laurel/rpc';
import {
  amount,
  dateOrTimestamp,
  fromMoment,
  Joi,
  jsonObject,
  nullable,
  page,
  positiveAmount,
  text,
  toDate,
  untilMoment,
  uuid,
} from '../../schema/types';
import { clientOfRow, expandClient } from '../clients/expand-client';

const DAYS_MAX = 36_500;

const type = () => Joi.string().valid(...LEDGER_ENTRY_TYPES);
const status = () => Joi.string().valid(...LEDGER_ENTRY_STATUSES);
const hash = () => Joi.string().hex().length(64);

export const entry = Joi.object({
  id: uuid().required(),
  client_wallet_id: uuid().required(),
  client_id: uuid().required(),
  workspace_id: uuid().required(),
  type: type().required(),
  amount: Joi.number().required(),
  balance_after: Joi.number().required(),
  status: status().required(),
  source_type: Joi.string().required(),
  source_id: nullable(Joi.string().allow('')).required(),
  external_id: nullable(Joi.string()).required(),
  expires_at: nullable(Joi.string().isoDate()).required(),
  description: nullable(Joi.string().allow('')).required(),
  metadata: Joi.object().required(),
  created_at: Joi.string().isoDate().required(),
  sequence: Joi.number().integer().min(1).required(),
  prev_hash: hash().required(),
  hash: hash().required(),
}).meta({ name: 'LedgerEntry' });
export const entries = Joi.array().items(entry);
export const entriesOfPeople = Joi.array().items(
  entry.keys({ client: clientOfRow }).meta({ name: 'LedgerEntryOfPerson' }),
);
export const transfer = Joi.object({
  transfer_out: entry.required(),
  transfer_in: entry.required(),
});

export interface ListQuery {
  client_id?: string;
  wallet_type_code?: string;
  type?: string;
  status?: string;
  from_date?: string;
  to_date?: string;
  limit: number;
  offset?: number;
  cursor?: string;
}
const listFields = {
  wallet_type_code: text(50, 1),
  type: type(),
  status: status(),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  ...page({ limitMax: 1_000, limitDefault: 50, cursor: true }),
};
export const clientEntries = Joi.object<ListQuery>(listFields);
export const workspaceEntries = Joi.object<ListQuery & { expand?: string[] }>({
  client_id: uuid(),
  ...listFields,
  expand: expandClient,
});

export function listRequest(workspaceId: string, query: ListQuery): ledger.ListEntriesRequest {
  return {
    ...query,
    workspace_id: workspaceId,
    offset: query.offset ?? 0,
    from_date: fromMoment(query.from_date),
    to_date: untilMoment(query.to_date),
  };
}

export interface EarnBody {
  client_id: string;
  amount: number;
  wallet_type_code?: string;
  description?: string;
  source_type?: string;
  source_id?: string;
  external_id?: string;
  pending_days?: number;
  expiry_days?: number;
  metadata?: Record<string, never>;
}
const code = () => text(50, 1);
const externalId = () => text(255, 1);
const expiryDays = () => Joi.number().integer().min(1).max(DAYS_MAX);
const source = { source_type: text(50, 1), source_id: text(255) };

export const earn = Joi.object<EarnBody>({
  client_id: uuid().required(),
  amount: positiveAmount().required(),
  wallet_type_code: code(),
  description: text(500),
  ...source,
  external_id: externalId(),
  pending_days: Joi.number().integer().min(0).max(DAYS_MAX),
  expiry_days: expiryDays(),
  metadata: jsonObject(),
});

export type SpendBody = Omit<EarnBody, 'pending_days' | 'expiry_days'>;
export const spend = Joi.object<SpendBody>({
  client_id: uuid().required(),
  amount: positiveAmount().required(),
  wallet_type_code: code(),
  description: text(500),
  ...source,
  external_id: externalId(),
  metadata: jsonObject(),
});

export interface AdjustBody {
  client_id: string;
  amount: number;
  description: string;
  wallet_type_code?: string;
  external_id?: string;
  expiry_days?: number;
  metadata?: Record<string, never>;
}
export const adjust = Joi.object<AdjustBody>({
  client_id: uuid().required(),
  amount: amount().invalid(0).messages({ 'any.invalid': '{{#label}} must not be 0' }).required(),
  description: text(500, 1).required(),
  wallet_type_code: code(),
  external_id: externalId(),
  expiry_days: expiryDays(),
  metadata: jsonObject(),
});

export interface TransferBody {
  from_client_id: string;
  to_client_id: string;
  amount: number;
  wallet_type_code?: string;
  description?: string;
  external_id?: string;
  metadata?: Record<string, never>;
}
export const transferPoints = Joi.object<TransferBody>({
  from_client_id: uuid().required(),
  to_client_id: uuid().required(),
  amount: positiveAmount().required(),
  wallet_type_code: code(),
  description: text(500),
  external_id: externalId(),
  metadata: jsonObject(),
});

export interface LockBody {
  client_id: string;
  amount: number;
  wallet_type_code?: string;
  description?: string;
  external_id?: string;
  expires_in_seconds?: number;
  metadata?: Record<string, never>;
}
export const lock = Joi.object<LockBody>({
  client_id: uuid().required(),
  amount: positiveAmount().required(),
  wallet_type_code: code(),
  description: text(500),
  external_id: externalId(),
  expires_in_seconds: Joi.number().integer().min(60).max(2_592_000),
  metadata: jsonObject(),
});

export const capture = Joi.object<{ amount?: number }>({ amount: positiveAmount() });
export const cancel = Joi.object<{ reason: string }>({ reason: text(500, 1).required() });

export interface RefundBody {
  source_id: string;
  client_id?: string;
  amount?: number;
  purchase_amount?: number;
  ratio?: number;
  external_id?: string;
  dry_run?: boolean;
}
export const refund = Joi.object<RefundBody>({
  source_id: text(255, 1).required(),
  client_id: uuid().description('Whose sale it is, where others have sales of the same number.'),
  amount: positiveAmount(),
  purchase_amount: positiveAmount(),
  ratio: Joi.number().greater(0).max(1),
  external_id: externalId(),
  dry_run: Joi.boolean(),
});
export const refunded = Joi.object({
  entries: entries.required(),
  refunded_points: Joi.number().required(),
  shortfall: Joi.number().required(),
  taken: Joi.array()
    .items(
      Joi.object({
        wallet_type_code: Joi.string().required(),
        points: amount().required().description('Below zero.'),
        pending: amount().required().description('What of `points` is still pending.'),
      }),
    )
    .description('With dry_run: what would be taken back, by wallet type; `entries` is empty.'),
});

export interface BatchBody {
  operations: Record<string, unknown>[];
}
/** Each operation is checked on its own, so that a bad one fails alone. */
export const batch = Joi.object<BatchBody>({
  operations: Joi.array().items(Joi.object().unknown(true)).min(1).max(1_000).required(),
});
export const batchResult = Joi.object({
  succeeded: Joi.number().integer().required(),
  failed: Joi.number().integer().required(),
  results: Joi.array()
    .items(
      Joi.object({
        index: Joi.number().integer().required(),
        entry,
        error: Joi.object({ message: Joi.string().required(), extensions: Joi.object() }),
      }),
    )
    .required(),
});

export const verify = Joi.object<{ client_id?: string; wallet_type_code?: string }>({
  client_id: uuid(),
  wallet_type_code: code(),
});
export const verification = Joi.object({
  wallets_checked: Joi.number().integer().required(),
  entries_checked: Joi.number().integer().required(),
  valid: Joi.boolean().required(),
  problems: Joi.array()
    .items(
      Joi.object({
        client_wallet_id: uuid().required(),
        sequence: Joi.number().integer().required(),
        problem: Joi.string().required(),
      }),
    )
    .required(),
});

const lotShare = Joi.object({
  lot_id: Joi.string().required(),
  entry_id: nullable(uuid()).required(),
  amount: Joi.number().required(),
  expires_at: nullable(Joi.string().isoDate()).required(),
});
export const explanation = Joi.object({
  entry: entry.required(),
  caused_by: Joi.object({
    type: Joi.string().required(),
    id: nullable(Joi.string().allow('')).required(),
    summary: Joi.string().required(),
  }).required(),
  lots_made: Joi.array().items(lotShare).required(),
  lots_consumed: Joi.array().items(lotShare).required(),
  caps_applied: Joi.object().required(),
  chain_position: Joi.object().required(),
});

export const exportEntries = Joi.object<{ from_date?: string; to_date?: string }>({
  from_date: dateOrTimestamp(),
  to_date: toDate(),
});
