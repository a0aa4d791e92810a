import { COUPON_FAULTS } from '@laurel/contract';
import { Joi, nullable, page, text, uuid } from '../../schema/types';
import { coupon, couponStatus, redemption } from '../rewards/schema';

const CODES_MAX = 10_000;

/** Printable ASCII without spaces: what fits on a slip of paper and into every till. */
const importedCode = Joi.string()
  .pattern(/^[\x21-\x7e]{4,64}$/)
  .messages({
    'string.pattern.base': '{{#label}} must be 4 to 64 printable characters without spaces',
  });

export const importCoupons = Joi.object<{ codes: string[] }>({
  codes: Joi.array().items(importedCode).min(1).max(CODES_MAX).required(),
});
export const importAnswer = Joi.object({
  imported: Joi.number().integer().required(),
  duplicates: Joi.number().integer().required(),
});

export const listCoupons = Joi.object<{ status?: string; limit: number; offset?: number }>({
  status: couponStatus,
  ...page({ limitMax: 500, limitDefault: 50 }),
});

export const validateCoupon = Joi.object<{ code: string }>({ code: text(255, 1).required() });
export const couponVerdict = Joi.object({
  valid: Joi.boolean().required(),
  reason: nullable(Joi.string().valid(...COUPON_FAULTS)).required(),
  coupon: nullable(coupon).required(),
  redemption: nullable(redemption).required(),
  client: nullable(
    Joi.object({
      id: uuid().required(),
      first_name: nullable(Joi.string()).required(),
      last_name: nullable(Joi.string()).required(),
      email: nullable(Joi.string()).required(),
    }),
  ).required(),
});
