import { backend, Joi, setting, targetOf } from '@laurel/config';

/** What the operator may set. */
export const settings = {
  ...backend,
  automationsTarget: targetOf('automations'),
  campaignsTarget: targetOf('campaigns'),
  clientsTarget: targetOf('clients'),
  ledgerTarget: targetOf('ledger'),
  passesTarget: targetOf('passes'),
  reviewMinutes: setting<number>(
    'TIERS_REVIEW_MINUTES',
    Joi.number().min(0.01).max(1_440).default(60),
    'How often clients who no longer hold their tier are demoted.',
  ),
  resyncPerSecond: setting<number>(
    'TIERS_RESYNC_PER_SECOND',
    Joi.number().integer().min(1).max(100_000).default(2_000),
    'Clients that a resync job evaluates per second at most, so that it leaves room for everything else.',
  ),
} as const;
