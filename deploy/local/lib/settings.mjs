// The environment that the services are started with: what the person set wins over what suits one machine.
import { loadSecrets } from './secrets.mjs';

/**
 * @param {import('./paths.mjs').Instance} instance
 * @param {Record<'MONGODB_URI' | 'RABBITMQ_URL' | 'REDIS_URL', string>} urls
 * @returns {NodeJS.ProcessEnv}
 */
export function localSettings(instance, urls) {
  return {
    NODE_ENV: 'production',
    ALLOW_REGISTRATION: 'true',
    WEBHOOK_ALLOW_INSECURE: 'true',
    MAIL_OUTBOX_DIR: instance.outbox,
    ...loadSecrets(instance.secrets),
    ...process.env,
    ...urls,
  };
}
