import { backend, Joi, setting, targetOf } from '@laurel/config';

export const settings = {
  ...backend,
  automationsTarget: targetOf('automations'),
  campaignsTarget: targetOf('campaigns'),
  integrationsTarget: targetOf('integrations'),
  ledgerTarget: targetOf('ledger'),
  passesTarget: targetOf('passes'),
  tiersTarget: targetOf('tiers'),
  rewardsTarget: targetOf('rewards'),
  referralsTarget: targetOf('referrals'),
  orphanedEventsDays: setting<number>(
    'RETENTION_ORPHANED_CLIENT_EVENTS_DAYS',
    Joi.number().integer().min(1).max(36_500).default(365),
    'Days that the scrubbed events of a deleted client are kept.',
  ),
} as const;
