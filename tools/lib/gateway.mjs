// A platform whose gateway a tool asks for all that it can do.
import { freePort } from '../../deploy/local/lib/ports.mjs';

/** What is measured or broken is the platform, not its limits for each minute. */
export const NO_LIMITS = {
  RATE_LIMIT_TOKEN_PER_MINUTE: '100000000',
  RATE_LIMIT_IP_PER_MINUTE: '100000000',
  RATE_LIMIT_LOGIN_PER_MINUTE: '1000000',
  RATE_LIMIT_ENROLL_PER_MINUTE: '1000000',
  LOG_LEVEL: 'warn',
};

/**
 * Starts the services behind one gateway on a free port.
 *
 * @param {import('../../deploy/local/lib/platform.mjs').Platform} platform
 * @param {import('../../deploy/local/lib/infrastructure.mjs').Urls} urls
 * @param {{ settings?: NodeJS.ProcessEnv, processes?: boolean, replicas?: number }} [options]
 * @returns {Promise<string>} where the gateway answers, the first of them where there are replicas
 */
export async function startGateway(platform, urls, options = {}) {
  const [url] = await platform.startServices(urls, { gatewayPort: await freePort(), ...options });
  return /** @type {string} */ (url);
}
