// The environment that the services are started with: what the person set wins over what suits one machine.
//
// Anybody who reaches the gateway may register, and all who are registered may have webhooks sent to this machine's own
// ports. That is convenient to develop with and harmless only because others do not reach it: an operator who lets them in
// (GATEWAY_HOST) turns both off.
import { loadSecrets } from './secrets.mjs';

const LOOPBACK = '127.0.0.1';

/**
 * @param {import('./paths.mjs').Instance} instance
 * @param {Record<'MONGODB_URI' | 'RABBITMQ_URL' | 'REDIS_URL', string>} urls
 * @returns {NodeJS.ProcessEnv}
 */
export function localSettings(instance, urls) {
  return {
    NODE_ENV: 'production',
    GATEWAY_HOST: LOOPBACK,
    HEALTH_HOST: LOOPBACK,
    GRPC_HOST: LOOPBACK,
    ALLOW_REGISTRATION: 'true',
    WEBHOOK_ALLOW_INSECURE: 'true',
    MAIL_OUTBOX_DIR: instance.outbox,
    ...loadSecrets(instance.secrets),
    ...process.env,
    ...urls,
  };
}
