import { backend, Joi, setting, targetOf } from '@laurel/config';

export const settings = {
  ...backend,
  clientsTarget: targetOf('clients'),
  identityTarget: targetOf('identity'),
  integrationsTarget: targetOf('integrations'),
  ledgerTarget: targetOf('ledger'),
  passesTarget: targetOf('passes'),
  referralsTarget: targetOf('referrals'),
  rewardsTarget: targetOf('rewards'),
  tiersTarget: targetOf('tiers'),
  executionsDays: setting<number>(
    'RETENTION_AUTOMATION_EXECUTIONS_DAYS',
    Joi.number().integer().min(35).max(36_500).default(730),
    'Days that the record of what a rule did is kept; what it has done in all is counted apart and stays.',
  ),
} as const;
