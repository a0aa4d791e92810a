import { Joi, text, timestamp, uuid } from '../../schema/types';
import { walletType } from '../wallet-types/schema';

export const wallet = Joi.object({
  id: uuid().required(),
  client_id: uuid().required(),
  wallet_type_id: uuid().required(),
  workspace_id: uuid().required(),
  active_balance: Joi.number().required(),
  pending_balance: Joi.number().required(),
  locked_balance: Joi.number().required(),
  total_earned: Joi.number().required(),
  total_spent: Joi.number().required(),
  total_expired: Joi.number().required(),
});
export const wallets = Joi.array().items(
  Joi.object({ wallet: wallet.required(), wallet_type: walletType.required() }),
);

export const getWallets = Joi.object<{ at?: string }>({ at: timestamp() });

export const expiringDays = Joi.array().items(
  Joi.object({ expires_at: Joi.string().isoDate().required(), amount: Joi.number().required() }),
);

export const listExpiring = Joi.object<{ wallet_type_code?: string; within_days: number }>({
  wallet_type_code: text(50, 1),
  within_days: Joi.number().integer().min(1).max(365).default(30),
});
