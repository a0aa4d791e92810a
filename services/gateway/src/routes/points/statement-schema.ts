import { PERIODS } from '@laurel/contract';
import { dateOrTimestamp, Joi, text, toDate } from '../../schema/types';
import { entries } from './schema';

const walletTypeCode = () => text(50, 1);

export interface StatementQuery {
  wallet_type_code: string;
  from_date?: string;
  to_date?: string;
  format: 'json' | 'csv';
}
export type ClientStatementQuery = Partial<Omit<StatementQuery, 'format'>>;
export const statementQuery = Joi.object<StatementQuery>({
  wallet_type_code: walletTypeCode().required(),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  format: Joi.string().valid('json', 'csv').default('json'),
});
export const clientStatementQuery = Joi.object<ClientStatementQuery>({
  wallet_type_code: walletTypeCode(),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
});
const balances = Joi.object({
  active: Joi.number().required(),
  pending: Joi.number().required(),
  locked: Joi.number().required(),
  total: Joi.number().required(),
});
const movement = () => Joi.number().min(0).required();
export const statement = Joi.object({
  opening: balances.required(),
  earned: movement(),
  matured: movement(),
  spent: movement(),
  expired: movement(),
  adjusted_credits: movement(),
  adjusted_debits: movement(),
  cancelled_credits: movement(),
  cancelled_debits: movement(),
  refunded: movement(),
  transferred_in: movement(),
  transferred_out: movement(),
  breakage: movement(),
  closing: balances.required(),
  debts: movement(),
  wallets: Joi.number().integer().min(0).required(),
}).meta({ name: 'PointsStatement' });
export const expiring = Joi.array().items(
  Joi.object({
    amount: Joi.number().required(),
    expires_at: Joi.string().isoDate().required(),
  }),
);
export const clientStatement = Joi.object({
  opening: balances.required(),
  entries: entries.required(),
  closing: balances.required(),
  expiring: expiring.required(),
}).meta({ name: 'ClientStatement' });

export interface SummaryQuery {
  wallet_type_code?: string;
  from_date?: string;
  to_date?: string;
  group_by_time?: string;
}
export const summarize = Joi.object<SummaryQuery>({
  wallet_type_code: walletTypeCode(),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  group_by_time: Joi.string().valid(...PERIODS),
});
const flows = {
  earned: Joi.number().required(),
  spent: Joi.number().required(),
  expired: Joi.number().required(),
  cancelled: Joi.number().required(),
  adjusted: Joi.number().required(),
};
const owed = {
  active_liability: Joi.number().required(),
  pending_liability: Joi.number().required(),
  locked: Joi.number().required(),
};
export const summary = Joi.object({
  ...flows,
  ...owed,
  by_wallet_type: Joi.array().items(
    Joi.object({ wallet_type_code: Joi.string().required(), ...flows, ...owed }),
  ),
  buckets: Joi.array().items(Joi.object({ date: Joi.string().required(), ...flows })),
});
