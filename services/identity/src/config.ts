import { backend, type Config, Joi, sessionKeys, setting, targetOf } from '@laurel/config';
import { mailSettings } from '@laurel/mail';

const perMinute = () => Joi.number().integer().min(1).max(1_000_000);
const days = () => Joi.number().integer().min(1).max(36_500);

/** Every service behind the gateway: all of them have a part in the clock of a sandbox. */
const targets = {
  automationsTarget: targetOf('automations'),
  campaignsTarget: targetOf('campaigns'),
  clientsTarget: targetOf('clients'),
  identityTarget: targetOf('identity'),
  integrationsTarget: targetOf('integrations'),
  ledgerTarget: targetOf('ledger'),
  passesTarget: targetOf('passes'),
  referralsTarget: targetOf('referrals'),
  rewardsTarget: targetOf('rewards'),
  tiersTarget: targetOf('tiers'),
};

export const settings = {
  ...backend,
  ...mailSettings,
  ...targets,
  ...sessionKeys,
  sandboxesMax: setting<number>(
    'SANDBOXES_MAX',
    Joi.number().integer().min(0).max(1_000).default(50),
    'How many sandboxes there may be at once, of everybody together; each one whose clock was moved adds a look to every job.',
  ),
  allowRegistration: setting<boolean>(
    'ALLOW_REGISTRATION',
    Joi.boolean().default(true),
    'Whether anybody may open an account.',
  ),
  bootstrapAdminEmail: setting<string | undefined>(
    'BOOTSTRAP_ADMIN_EMAIL',
    Joi.string()
      .email({ tlds: { allow: false } })
      .max(255)
      .empty(''),
    'Address of the first account: made at start while there is none, its password is set by a mailed link.',
  ),
  loginFailuresPerMinute: setting<number>(
    'RATE_LIMIT_LOGIN_PER_MINUTE',
    perMinute().default(10),
    'Failed logins per minute of one account from one address, after which none is tried.',
  ),
  loginFailuresPerAccount: setting<number>(
    'RATE_LIMIT_LOGIN_ACCOUNT_PER_MINUTE',
    perMinute().default(100),
    'Failed logins per minute of one account from anywhere, after which none is tried.',
  ),
  loginFailuresPerAddress: setting<number>(
    'RATE_LIMIT_LOGIN_ADDRESS_PER_MINUTE',
    perMinute().default(300),
    'Failed logins per minute from one address (IPv6: from one /64), after which none is tried.',
  ),
  pairFailuresPerMinute: setting<number>(
    'RATE_LIMIT_PAIR_PER_MINUTE',
    perMinute().default(10),
    'Failed pairings per minute and IP, after which none is tried.',
  ),
  passwordHashConcurrency: setting<number>(
    'PASSWORD_HASH_CONCURRENCY',
    Joi.number().integer().min(1).max(64).default(4),
    'Passwords hashed at the same time; each takes 19 MiB.',
  ),
  googleClientId: setting<string | undefined>(
    'GOOGLE_CLIENT_ID',
    Joi.string(),
    'Audience of identity tokens at POST /auth/sso; unset leaves single sign-on off (503).',
  ),
  googleJwksUrl: setting<string>(
    'SSO_GOOGLE_JWKS_URL',
    Joi.string()
      .uri({ scheme: ['https', 'http'] })
      .default('https://www.googleapis.com/oauth2/v3/certs'),
    'Where the keys of the identity provider are published.',
  ),
  googleIssuer: setting<string>(
    'SSO_GOOGLE_ISSUER',
    Joi.string().default('https://accounts.google.com'),
    'Issuer that identity tokens must name, with or without https://.',
  ),
  mobileSessionDays: setting<number>(
    'MOBILE_SESSION_DAYS',
    days().default(30),
    'Days that a paired device stays signed in without being used.',
  ),
  auditLogDays: setting<number>(
    'RETENTION_AUDIT_LOG_DAYS',
    days().default(730),
    'Days that the audit log is kept.',
  ),
} as const;

export type IdentityConfig = Config<typeof settings>;
