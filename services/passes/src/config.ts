import { backend, Joi, setting, targetOf, vaultKeys } from '@laurel/config';
import { mailSettings } from '@laurel/mail';
import { enrollmentSettings } from './enrollment/part';
import { mobileSettings } from './mobile/part';
import { walletSettings } from './wallet/part';

export const settings = {
  ...backend,
  ...mailSettings,
  automationsTarget: targetOf('automations'),
  campaignsTarget: targetOf('campaigns'),
  clientsTarget: targetOf('clients'),
  identityTarget: targetOf('identity'),
  ledgerTarget: targetOf('ledger'),
  referralsTarget: targetOf('referrals'),
  rewardsTarget: targetOf('rewards'),
  tiersTarget: targetOf('tiers'),
  ...vaultKeys,
  passLinkSecret: setting<string | undefined>(
    'PASS_LINK_SECRET',
    Joi.string().min(32),
    'Signs the links and tokens of passes from now on, for whoever wants to choose it; what it signed stays valid after it is unset. Not needed for a rotation of SECRETS_KEY.',
    { secret: true },
  ),
  ...walletSettings,
  ...enrollmentSettings,
  ...mobileSettings,
} as const;
