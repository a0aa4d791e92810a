import { Joi } from '../../schema/types';

export const KINDS = [
  'webhook_failing',
  'inbox_failed',
  'rule_failed',
  'campaign_failed',
  'import_failed',
  'coupons_low',
  'certificate_expiring',
] as const;

export const attention = Joi.array().items(
  Joi.object({
    kind: Joi.string()
      .valid(...KINDS)
      .required(),
    severity: Joi.string()
      .valid('error', 'warning')
      .required()
      .description('An error has done harm already, a warning will.'),
    count: Joi.number()
      .integer()
      .min(0)
      .required()
      .description('How many failed; of coupons how many are left, of a certificate the days.'),
    since: Joi.string().isoDate().required(),
    subject: Joi.object({
      type: Joi.string()
        .valid(
          'webhook',
          'integration',
          'rule',
          'campaign',
          'client_import',
          'sales_import',
          'reward',
          'wallet_credentials',
        )
        .required(),
      id: Joi.string().required(),
      name: Joi.string().allow('').required(),
    }).required(),
  }).meta({ name: 'Attention' }),
);

export const meta = Joi.object({
  missing: Joi.array()
    .items(Joi.string())
    .required()
    .description('Services that do not answer; what they have to tell is left out.'),
});
