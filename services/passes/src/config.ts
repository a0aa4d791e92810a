import {
  backend,
  Joi,
  passLinkSecret,
  secret,
  sessionKeys,
  setting,
  targetOf,
  vaultKeys,
} from '@laurel/config';
import { mailSettings } from '@laurel/mail';

const url = () => Joi.string().uri({ scheme: ['http', 'https'] });

/** Certificates and keys of the deployment; a workspace that has its own uses those instead. */
export const walletSettings = {
  applePassTypeIdentifier: setting<string | undefined>(
    'APPLE_PASS_TYPE_IDENTIFIER',
    Joi.string().pattern(/^pass\.[A-Za-z0-9.-]+$/),
    'Pass type identifier that the Apple certificate was issued for, e.g. pass.com.example.loyalty.',
  ),
  appleTeamIdentifier: setting<string | undefined>(
    'APPLE_TEAM_IDENTIFIER',
    Joi.string().pattern(/^[A-Z0-9]{10}$/),
    'Team identifier of the Apple developer account.',
  ),
  applePassCertificate: secret<string | undefined>('APPLE_PASS_CERTIFICATE', Joi.string(), {
    meaning: 'Certificate that signs Apple passes and authenticates their pushes, PEM.',
    rotation:
      'Set a new one for the same pass type before it ends, together with APPLE_PASS_KEY; passes on phones stay.',
  }),
  applePassKey: secret<string | undefined>('APPLE_PASS_KEY', Joi.string(), {
    meaning: 'Private key of APPLE_PASS_CERTIFICATE, PEM (RSA).',
    rotation: 'Together with APPLE_PASS_CERTIFICATE.',
  }),
  applePassKeyPassphrase: secret<string | undefined>('APPLE_PASS_KEY_PASSPHRASE', Joi.string(), {
    meaning: 'Passphrase of APPLE_PASS_KEY, where it has one.',
    rotation: 'Together with APPLE_PASS_KEY.',
  }),
  appleWwdrCertificate: setting<string | undefined>(
    'APPLE_WWDR_CERTIFICATE',
    Joi.string(),
    'Intermediate certificate of Apple (WWDR) that issued APPLE_PASS_CERTIFICATE, PEM.',
  ),
  appleApnsCa: setting<string | undefined>(
    'APPLE_APNS_CA',
    Joi.string(),
    'Certificate, PEM, that the push service is checked against instead of the usual ones; for a stand-in of it.',
  ),
  appleApnsUrl: setting<string>(
    'APPLE_APNS_URL',
    url().default('https://api.push.apple.com'),
    'Push service of Apple.',
  ),
  googleIssuerId: setting<string | undefined>(
    'GOOGLE_WALLET_ISSUER_ID',
    Joi.string().pattern(/^\d+$/),
    'Issuer id of the Google Wallet account.',
  ),
  googleServiceAccount: secret<string | undefined>('GOOGLE_SERVICE_ACCOUNT', Joi.string(), {
    meaning: 'Key file (JSON) of the Google service account that may use the Wallet API.',
    rotation: 'Make a second key of the account at Google, roll it out, then delete the first.',
  }),
  googleWalletUrl: setting<string>(
    'GOOGLE_WALLET_URL',
    url().default('https://walletobjects.googleapis.com'),
    'Wallet API of Google.',
  ),
  googleTokenUrl: setting<string>(
    'GOOGLE_TOKEN_URL',
    url().default('https://oauth2.googleapis.com/token'),
    'Where tokens for the Wallet API are issued.',
  ),
  googleCallbackKeysUrl: setting<string>(
    'GOOGLE_CALLBACK_KEYS_URL',
    url().default('https://pay.google.com/gp/m/issuer/keys'),
    'Where Google publishes the keys that sign what it tells about saved and deleted passes.',
  ),
  googleSaveUrl: setting<string>(
    'GOOGLE_SAVE_URL',
    url().default('https://pay.google.com/gp/v/save'),
    'Where Google save links lead.',
  ),
} as const;

const receiptSettings = {
  receiptWaitingMax: setting<number>(
    'RECEIPT_WAITING_MAX',
    Joi.number().integer().min(0).default(4),
    'How many photographed receipts may wait for the one that is being read; more are answered 503.',
  ),
  receiptMsMax: setting<number>(
    'RECEIPT_MS_MAX',
    Joi.number().integer().min(1_000).default(30_000),
    'How long reading one receipt may take, in milliseconds.',
  ),
  receiptIdleMs: setting<number>(
    'RECEIPT_IDLE_MS',
    Joi.number().integer().min(1_000).default(120_000),
    'After how long without receipts the memory for reading them is given back, in milliseconds.',
  ),
} as const;

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
  passLinkSecret,
  ...walletSettings,
  jwtSecret: sessionKeys.jwtSecret,
  ...receiptSettings,
} as const;
