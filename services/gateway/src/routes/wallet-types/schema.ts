import {
  emptyOrSaid,
  Joi,
  memberName,
  nullable,
  oneLine,
  positiveAmount,
  queryBoolean,
  uuid,
} from '../../schema/types';

const DAYS_MAX = 36_500;

interface WalletTypeFields {
  is_default?: boolean;
  active?: boolean;
  unit_singular_name?: string | null;
  unit_plural_name?: string | null;
  pending_days?: number | null;
  expiry_days?: number | null;
  max_balance?: number | null;
  allow_negative_balance?: boolean;
}

const fields = {
  is_default: Joi.boolean(),
  active: Joi.boolean(),
  unit_singular_name: nullable(emptyOrSaid(oneLine(50))),
  unit_plural_name: nullable(emptyOrSaid(oneLine(50))),
  pending_days: nullable(Joi.number().integer().min(0).max(DAYS_MAX)),
  expiry_days: nullable(Joi.number().integer().min(1).max(DAYS_MAX)),
  max_balance: nullable(positiveAmount()),
  allow_negative_balance: Joi.boolean(),
};

export const walletType = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  code: Joi.string().required(),
  name: Joi.string().required(),
  is_default: Joi.boolean().required(),
  active: Joi.boolean().required(),
  unit_singular_name: nullable(Joi.string().allow('')).required(),
  unit_plural_name: nullable(Joi.string().allow('')).required(),
  pending_days: nullable(Joi.number().integer()).required(),
  expiry_days: nullable(Joi.number().integer()).required(),
  max_balance: nullable(Joi.number()).required(),
  allow_negative_balance: Joi.boolean().required(),
  date_created: Joi.string().isoDate().required(),
  date_updated: Joi.string().isoDate().required(),
}).meta({ name: 'WalletType' });
export const walletTypes = Joi.array().items(walletType);

export const listWalletTypes = Joi.object<{ active?: boolean }>({ active: queryBoolean() });

export const createWalletType = Joi.object<WalletTypeFields & { code: string; name: string }>({
  code: memberName(/^[a-z0-9_]+$/)
    .min(1)
    .max(50)
    .messages({
      'string.pattern.base': '{{#label}} must consist of lower-case letters, digits and _',
    })
    .required(),
  name: oneLine(255, 1).required(),
  ...fields,
});

export const updateWalletType = Joi.object<WalletTypeFields & { name?: string }>({
  name: oneLine(255, 1),
  ...fields,
});
