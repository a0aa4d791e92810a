import { backend, targetOf } from '@laurel/config';

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
} as const;
