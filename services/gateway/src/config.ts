import {
  Joi,
  ofEveryProcess,
  publicUrl,
  redisUrl,
  rpcTlsFolder,
  type Setting,
  sessionKeys,
  setting,
  targetOf,
} from '@laurel/config';
import type { Spoken } from './rpc-clients';

const perMinute = (name: string, count: number, whom: string) =>
  setting<number>(
    `RATE_LIMIT_${name}_PER_MINUTE`,
    Joi.number().integer().min(1).default(count),
    `Requests per minute and ${whom}.`,
  );

/** One line for each service behind the gateway. */
const targets: { [Name in Spoken as `${Name}Target`]: Setting<string> } = {
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
  ...ofEveryProcess,
  port: setting<number>('PORT', Joi.number().port().default(8080), 'Port of the public HTTP API.'),
  host: setting<string>(
    'GATEWAY_HOST',
    Joi.string().default('0.0.0.0'),
    'Address the public HTTP API binds to.',
  ),
  redisUrl,
  ...sessionKeys,
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
    'Origins whose pages may call the API, separated by commas; * for any. What takes cookies answers none of them.',
  ),
  publicUrl,
  requestMsMax: setting<number>(
    'REQUEST_MS_MAX',
    Joi.number().integer().min(100).default(15_000),
    'How long a request may take, once its body is there, before it is answered 503.',
  ),
  admissionRunningMax: setting<number>(
    'ADMISSION_RUNNING_MAX',
    Joi.number().integer().min(1).default(64),
    'Requests that one gateway works on at once; what runs much longer than others do (3 s at least) is counted apart, up to twice as many.',
  ),
  admissionWaitingMax: setting<number>(
    'ADMISSION_WAITING_MAX',
    Joi.number().integer().min(0).default(1_024),
    'Requests that wait for their turn at one gateway; beyond that they are answered 503 at once.',
  ),
  admissionWaitMsMax: setting<number>(
    'ADMISSION_WAIT_MS_MAX',
    Joi.number().integer().min(0).max(60_000).default(4_000),
    'How long a request waits for its turn before it is answered 503.',
  ),
  admissionCallerMax: setting<number>(
    'ADMISSION_CALLER_MAX',
    Joi.number().integer().min(1).default(256),
    'Requests of one credential (or of one address without any) that one gateway has on their way, waiting ones included; beyond that they are answered 429.',
  ),
  rpcTlsFolder,
  limitToken: perMinute('TOKEN', 600, 'credential'),
  limitIp: perMinute(
    'IP',
    60,
    'address on public routes; apart from these five times as many to sign in, and ten times as many for pictures',
  ),
  limitPortalSession: perMinute('PORTAL_SESSION', 20, 'address that opens a portal session'),
  limitPortalErase: perMinute('PORTAL_ERASE', 5, 'address that asks for erasure'),
  limitEnroll: perMinute('ENROLL', 20, 'address that enrols'),
  limitWallet: perMinute('WALLET', 1_200, 'address that calls for Apple or Google Wallet'),
  limitEmbed: perMinute('EMBED', 600, 'address whose pages hold a form'),
  limitWrongCredential: perMinute(
    'WRONG_CREDENTIAL',
    60,
    'address whose tokens, of whatever kind, turn out wrong',
  ),
  connectionsMax: setting<number>(
    'CONNECTIONS_MAX',
    Joi.number().integer().min(1).default(10_000),
    'Connections that one gateway keeps open; further ones are closed at once.',
  ),
  streamsMax: setting<number>(
    'EVENT_STREAMS_MAX',
    Joi.number().integer().min(0).default(1_000),
    'Event streams that one gateway keeps open at once.',
  ),
  streamsCallerMax: setting<number>(
    'EVENT_STREAMS_CALLER_MAX',
    Joi.number().integer().min(1).default(10),
    'Event streams of one credential that one gateway keeps open at once.',
  ),
  ...targets,
};
