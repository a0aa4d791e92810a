import { backend, Joi, setting, targetOf } from '@laurel/config';
import { mailSettings } from '@laurel/mail';
import { enrollmentSettings } from './enrollment/part';
import { mobileSettings } from './mobile/part';
import { walletSettings } from './wallet/part';

const SECRETS_KEY_BYTES = 32;

export const settings = {
  ...backend,
  ...mailSettings,
  clientsTarget: targetOf('clients'),
  identityTarget: targetOf('identity'),
  ledgerTarget: targetOf('ledger'),
  referralsTarget: targetOf('referrals'),
  rewardsTarget: targetOf('rewards'),
  tiersTarget: targetOf('tiers'),
  secretsKey: setting<string>(
    'SECRETS_KEY',
    Joi.string()
      .base64()
      .length(Buffer.alloc(SECRETS_KEY_BYTES).toString('base64').length)
      .required(),
    'Key, 32 bytes in base64, from which the key that signs pass links is derived.',
    { secret: true },
  ),
  passLinkSecret: setting<string | undefined>(
    'PASS_LINK_SECRET',
    Joi.string().min(32),
    'Signs pass links instead of SECRETS_KEY. To be set before SECRETS_KEY is rotated, to what it was: links in mails and on posters live on.',
    { secret: true },
  ),
  ...walletSettings,
  ...enrollmentSettings,
  ...mobileSettings,
} as const;
