import { backend, Joi, setting, targetOf } from '@laurel/config';

export const settings = {
  ...backend,
  ledgerTarget: targetOf('ledger'),
  clientsTarget: targetOf('clients'),
  tiersTarget: targetOf('tiers'),
  abandonedSeconds: setting<number>(
    'REDEMPTION_ABANDONED_SECONDS',
    Joi.number().integer().min(1).max(3_600).default(20),
    'After how long without progress a redemption or cancellation is taken over by the sweeper.',
  ),
} as const;
