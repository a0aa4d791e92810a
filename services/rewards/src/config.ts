import { backend, Joi, setting, targetOf } from '@laurel/config';

export const settings = {
  ...backend,
  automationsTarget: targetOf('automations'),
  campaignsTarget: targetOf('campaigns'),
  ledgerTarget: targetOf('ledger'),
  clientsTarget: targetOf('clients'),
  tiersTarget: targetOf('tiers'),
  abandonedSeconds: setting<number>(
    'REDEMPTION_ABANDONED_SECONDS',
    Joi.number().integer().min(1).max(3_600).default(20),
    'After how long without progress a redemption or cancellation is taken over by the sweeper.',
  ),
  rememberedSeconds: setting<number>(
    'REDEMPTION_REMEMBERED_SECONDS',
    Joi.number().integer().min(30).max(86_400).default(600),
    'How long a failed redemption is remembered, to give back a spend that arrives after it was undone; longer than any call may take.',
  ),
} as const;
