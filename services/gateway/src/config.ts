import { common, Joi, type Setting, setting, targetOf } from '@laurel/config';
import type { Services } from '@laurel/rpc';

const perMinute = (name: string, count: number, whom: string) =>
  setting<number>(
    `RATE_LIMIT_${name}_PER_MINUTE`,
    Joi.number().integer().min(1).default(count),
    `Requests per minute and ${whom}.`,
  );

/** One line for each service behind the gateway. */
const targets: { [Name in keyof Services as `${Name}Target`]: Setting<string> } = {
  automationsTarget: targetOf('automations'),
  campaignsTarget: targetOf('campaigns'),
  identityTarget: targetOf('identity'),
  clientsTarget: targetOf('clients'),
  ledgerTarget: targetOf('ledger'),
  integrationsTarget: targetOf('integrations'),
  passesTarget: targetOf('passes'),
  rewardsTarget: targetOf('rewards'),
  tiersTarget: targetOf('tiers'),
  referralsTarget: targetOf('referrals'),
};

export const settings = {
  ...common,
  port: setting<number>('PORT', Joi.number().port().default(8080), 'Port of the public HTTP API.'),
  host: setting<string>(
    'GATEWAY_HOST',
    Joi.string().default('0.0.0.0'),
    'Address the public HTTP API binds to.',
  ),
  redisUrl: setting<string>(
    'REDIS_URL',
    Joi.string()
      .uri({ scheme: ['redis', 'rediss'] })
      .required(),
    'Redis server.',
    { secret: true },
  ),
  jwtSecret: setting<string>(
    'JWT_SECRET',
    Joi.string().min(32).required(),
    'Key that signs and checks session tokens.',
    { secret: true },
  ),
  jwtSecretPrevious: setting<string | undefined>(
    'JWT_SECRET_PREVIOUS',
    Joi.string().min(32),
    'Key whose tokens are still accepted while keys are rotated.',
    { secret: true },
  ),
  trustProxy: setting<string>(
    'TRUST_PROXY',
    Joi.string()
      .pattern(/^(\d{1,2}|[0-9a-fA-F.:/, ]+|loopback|linklocal|uniquelocal)$/)
      .default('0'),
    'How far X-Forwarded-For is believed: a number of proxies, or their addresses.',
  ),
  corsOrigins: setting<string>(
    'CORS_ORIGINS',
    Joi.string().default('*'),
    'Origins whose pages may call the API, separated by commas; * for any (no cookies are used).',
  ),
  requestMsMax: setting<number>(
    'REQUEST_MS_MAX',
    Joi.number().integer().min(100).default(15_000),
    'How long a request may take before it is answered 503.',
  ),
  rpcTlsFolder: setting<string | undefined>(
    'RPC_TLS_FOLDER',
    Joi.string(),
    'Folder with ca.crt, tls.crt and tls.key for mutual TLS between services.',
  ),
  limitToken: perMinute('TOKEN', 600, 'credential'),
  limitIp: perMinute('IP', 60, 'address on public routes'),
  limitLogin: perMinute('LOGIN', 10, 'address and e-mail that fail to sign in'),
  limitPair: perMinute('PAIR', 10, 'address that tries a pairing code'),
  limitPortalSession: perMinute('PORTAL_SESSION', 20, 'address that opens a portal session'),
  limitPortalErase: perMinute('PORTAL_ERASE', 5, 'address that asks for erasure'),
  limitEnroll: perMinute('ENROLL', 20, 'address that enrols'),
  ...targets,
};
